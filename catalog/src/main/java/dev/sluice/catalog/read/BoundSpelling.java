package dev.sluice.catalog.read;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;

import dev.sluice.catalog.BoundValue;
import dev.sluice.catalog.BoundValue.Exact;
import dev.sluice.catalog.BoundValue.Temporal;
import dev.sluice.catalog.BoundValue.Text;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.Field;

/**
 * Texts of bounds that PostgreSQL itself can tell and compare. Telling them is most of what looking
 * through a hundred thousand files costs, so there are no counted repetitions in the expressions,
 * which take PostgreSQL ten times as long.
 */
enum BoundSpelling {
  /** Integers and decimals in digits. */
  NUMBER {
    @Override
    Condition isReadable(Field<String> bound) {
      return condition(
          "{0} ~ '^-?[0-9]+(\\.[0-9]+)?$' AND octet_length({0}) <= {1}",
          bound, inline(MOST_CHARACTERS));
    }

    @Override
    Field<BigDecimal> value(Field<String> bound) {
      return field("{0}::numeric", BigDecimal.class, bound);
    }

    @Override
    Optional<Field<?>> constant(BoundValue value) {
      return value instanceof Exact exact ? Optional.of(inline(exact.number())) : Optional.empty();
    }
  },

  /** Days of four-digit years, in order as texts. */
  DATE {
    @Override
    Condition isReadable(Field<String> bound) {
      return condition(
          "{0} LIKE '____-__-__' AND {0} !~ '[^-0-9]' AND {0} >= '0' COLLATE \"C\"", bound);
    }

    @Override
    Field<String> value(Field<String> bound) {
      return asBytes(bound);
    }

    @Override
    Optional<Field<?>> constant(BoundValue value) {
      return day(value).map(day -> inline(day.toString()));
    }
  },

  /**
   * Moments of such days to the microsecond, in order as texts unless zeros end a fraction or a day
   * ends with its 24th hour.
   */
  TIMESTAMP {
    @Override
    Condition isReadable(Field<String> bound) {
      return condition(
          "({0} LIKE '____-__-__ __:__:__' OR {0} LIKE '____-__-__ __:__:__._%'"
              + " AND {0} NOT LIKE '%0' AND octet_length({0}) <= {1})"
              + " AND {0} !~ '[^-0-9 :.]| 24:' AND {0} >= '0' COLLATE \"C\"",
          bound, inline(LONGEST_TIMESTAMP));
    }

    @Override
    Field<String> value(Field<String> bound) {
      return asBytes(bound);
    }

    @Override
    Optional<Field<?>> constant(BoundValue value) {
      return day(value)
          .map(
              day -> {
                LocalTime time = LocalTime.ofNanoOfDay(((Temporal) value).nanosOfDay());
                String seconds = TO_THE_SECOND.format(time);
                String micros = MICROS.format(time).replaceAll("\\.?0+$", "");
                return inline(day + " " + seconds + micros);
              });
    }
  },

  /** Any text, compared byte by byte as the pruner does. */
  TEXT {
    @Override
    Condition isReadable(Field<String> bound) {
      return bound.isNotNull();
    }

    @Override
    Field<String> value(Field<String> bound) {
      return asBytes(bound);
    }

    @Override
    Optional<Field<?>> constant(BoundValue value) {
      return text(value);
    }
  },

  /** Numbers of 32 hexadecimal digits, whose writers differ in capitals. */
  UUID {
    @Override
    Condition isReadable(Field<String> bound) {
      return condition(
          "{0} LIKE '________-____-____-____-____________' AND {0} !~ '[^-0-9a-fA-F]'", bound);
    }

    @Override
    Field<String> value(Field<String> bound) {
      return field("lower({0} COLLATE \"C\")", String.class, bound);
    }

    @Override
    Optional<Field<?>> constant(BoundValue value) {
      return text(value);
    }
  };

  /** Far more than any number has, far fewer than PostgreSQL's own number can hold. */
  private static final int MOST_CHARACTERS = 80;

  private static final int LONGEST_TIMESTAMP = "2020-01-01 00:00:00.000001".length();
  private static final int LAST_YEAR = 9999;
  private static final DateTimeFormatter TO_THE_SECOND = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern(".SSSSSS");

  /** How bounds of that type are spelled; empty for those that PostgreSQL cannot compare. */
  static Optional<BoundSpelling> of(ColumnType type) {
    return switch (type) {
      case Decimal decimal -> Optional.of(NUMBER);
      case Nested nested -> Optional.empty();
      case Scalar scalar ->
          switch (scalar) {
            case INT8, INT16, INT32, INT64, INT128, UINT8, UINT16, UINT32, UINT64, UINT128 ->
                Optional.of(NUMBER);
            case DATE -> Optional.of(DATE);
            case TIMESTAMP -> Optional.of(TIMESTAMP);
            case VARCHAR, JSON -> Optional.of(TEXT);
            case UUID -> Optional.of(UUID);
            case BOOLEAN,
                FLOAT32,
                FLOAT64,
                TIME,
                TIME_NS,
                TIMETZ,
                TIMESTAMP_US,
                TIMESTAMP_S,
                TIMESTAMP_MS,
                TIMESTAMP_NS,
                TIMESTAMPTZ,
                INTERVAL,
                BLOB,
                GEOMETRY,
                VARIANT ->
                Optional.empty();
          };
    };
  }

  /** Whether the text is spelled so; not true for NULL. */
  abstract Condition isReadable(Field<String> bound);

  /** The value of a readable text, in what PostgreSQL compares. */
  abstract Field<?> value(Field<String> bound);

  /** A constant to compare with; empty for what bounds of this spelling cannot be compared with. */
  abstract Optional<Field<?>> constant(BoundValue value);

  private static Field<String> asBytes(Field<String> bound) {
    return field("{0} COLLATE \"C\"", String.class, bound);
  }

  /** PostgreSQL holds neither the character zero nor half of a pair. */
  private static Optional<Field<?>> text(BoundValue value) {
    return value instanceof Text text
            && text.text().indexOf('\0') < 0
            && StandardCharsets.UTF_8.newEncoder().canEncode(text.text())
        ? Optional.of(inline(text.text()))
        : Optional.empty();
  }

  private static Optional<LocalDate> day(BoundValue value) {
    return value instanceof Temporal temporal
            && temporal.day() >= LocalDate.of(1, 1, 1).toEpochDay()
            && temporal.day() <= LocalDate.of(LAST_YEAR, 12, 31).toEpochDay()
        ? Optional.of(LocalDate.ofEpochDay(temporal.day()))
        : Optional.empty();
  }
}
