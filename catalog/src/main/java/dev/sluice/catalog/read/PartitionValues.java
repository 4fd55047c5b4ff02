package dev.sluice.catalog.read;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.BoundValue;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.read.Predicate.Operator;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What a stored partition value (ducklake-format 10.2) says about a comparison. */
final class PartitionValues {

  private static final long NANOS_PER_HOUR = 3_600_000_000_000L;

  private PartitionValues() {}

  /** Texts that readers of paths take for NULL although they are stored as text. */
  static boolean meansNullSomewhere(String value) {
    return value.isEmpty()
        || value.equalsIgnoreCase("null")
        || value.equals("__HIVE_DEFAULT_PARTITION__");
  }

  /** False when the literal's bucket is known and another one. Only for equality. */
  static boolean bucketAllows(
      ColumnType type, PartitionTransform.Bucket bucket, Literal literal, String value) {
    OptionalInt wanted = BucketHash.bucket(type, literal.text(), bucket.buckets());
    OptionalLong stored = integer(value);
    return wanted.isEmpty() || stored.isEmpty() || wanted.getAsInt() == stored.getAsLong();
  }

  /**
   * False when no value with that calendar part can stand in the relation to the literal. Zoned
   * types are never judged: their parts hang on the writer's session.
   */
  static boolean calendarAllows(
      ColumnType type,
      PartitionTransform.Simple part,
      Operator operator,
      Literal literal,
      String value) {
    OptionalLong stored = integer(value);
    Optional<BoundValue.Temporal> wanted = calendarValue(type, literal);
    if (stored.isEmpty() || wanted.isEmpty()) {
      return true;
    }
    long of = part(part, wanted.get());
    if (operator == Operator.EQUAL) {
      return stored.getAsLong() == of;
    }
    if (part != PartitionTransform.Simple.YEAR) {
      return true;
    }
    return switch (operator) {
      case LESS, LESS_OR_EQUAL -> stored.getAsLong() <= of;
      case GREATER, GREATER_OR_EQUAL -> stored.getAsLong() >= of;
      case EQUAL, NOT_EQUAL -> true;
    };
  }

  private static Optional<BoundValue.Temporal> calendarValue(ColumnType type, Literal literal) {
    boolean hasCalendar = type == Scalar.DATE || isLocalTimestamp(type);
    return hasCalendar && ComparisonDomain.of(type, literal.type()) == ComparisonDomain.SAME
        ? BoundText.parse(type, literal.text())
            .map(BoundValue.Temporal.class::cast)
            .filter(value -> value.day() != Long.MAX_VALUE && value.day() != Long.MIN_VALUE)
        : Optional.empty();
  }

  private static boolean isLocalTimestamp(ColumnType type) {
    return type == Scalar.TIMESTAMP
        || type == Scalar.TIMESTAMP_US
        || type == Scalar.TIMESTAMP_S
        || type == Scalar.TIMESTAMP_MS
        || type == Scalar.TIMESTAMP_NS;
  }

  private static long part(PartitionTransform.Simple part, BoundValue.Temporal value) {
    LocalDate date = LocalDate.ofEpochDay(value.day());
    return switch (part) {
      case YEAR -> date.getYear();
      case MONTH -> date.getMonthValue();
      case DAY -> date.getDayOfMonth();
      case HOUR -> value.nanosOfDay() / NANOS_PER_HOUR;
      case IDENTITY -> throw new IllegalArgumentException("identity is no calendar part");
    };
  }

  private static OptionalLong integer(String value) {
    return BoundText.parse(Scalar.INT64, value)
        .map(number -> OptionalLong.of(((BoundValue.Exact) number).number().longValueExact()))
        .orElse(OptionalLong.empty());
  }
}
