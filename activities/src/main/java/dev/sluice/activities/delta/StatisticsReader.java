package dev.sluice.activities.delta;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.activities.delta.DeltaStatistics.Facts;
import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the statistics text of a log's entry (Delta protocol, "Per-file Statistics"). They are
 * hints: what does not parse or is not surely what it seems is unknown. Immutable and thread-safe.
 */
final class StatisticsReader {

  private static final ObjectReader JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build()
          .reader();

  /** Writers cut texts off here; a shorter one is whole. */
  private static final int SHORTEST_CUT = 32;

  /** Some writers write decimals as doubles, which hold this many digits. */
  private static final int EXACT_DIGITS = 15;

  private static final int MILLISECOND_DIGITS = 3;
  private static final int MICROSECOND_DIGITS = 6;
  private static final long NANOS_CUT_FROM_MILLISECOND = 999_000;
  private static final long NANOS_CUT_FROM_MICROSECOND = 999;

  private final DeltaSchema schema;

  StatisticsReader(DeltaSchema schema) {
    this.schema = schema;
  }

  /** Whether rows of the file are deleted, which leaves counts of its NULLs open. */
  enum Deletes {
    NONE,
    SOME
  }

  /**
   * Reads one file's statistics.
   *
   * @param text JSON; null when the entry has none
   */
  DeltaStatistics read(@Nullable String text, Deletes deletes) {
    if (text == null || text.isBlank()) {
      return DeltaStatistics.UNKNOWN;
    }
    JsonNode root;
    try {
      root = JSON.readTree(text);
    } catch (JsonProcessingException noJson) {
      return DeltaStatistics.UNKNOWN;
    }
    JsonNode records = root.path("numRecords");
    boolean counted = deletes == Deletes.NONE && root.path("tightBounds").asBoolean(true);
    Map<List<String>, Facts> facts = new HashMap<>();
    collect(
        schema.columns(),
        List.of(),
        new Level(root.path("minValues"), root.path("maxValues"), root.path("nullCount"), counted),
        facts);
    return new DeltaStatistics(
        records.isIntegralNumber() && records.longValue() >= 0 ? records.longValue() : null, facts);
  }

  /** The statistics of the fields of one struct. */
  private record Level(JsonNode min, JsonNode max, JsonNode nulls, boolean counted) {

    Level of(String field) {
      return new Level(min.path(field), max.path(field), nulls.path(field), counted);
    }

    /** Zero stays zero whatever was deleted. */
    @Nullable Long nullCount() {
      boolean known = nulls.isIntegralNumber() && (counted || nulls.longValue() == 0);
      return known ? nulls.longValue() : null;
    }
  }

  private static void collect(
      List<DeltaColumn> columns, List<String> parent, Level level, Map<List<String>, Facts> facts) {
    for (DeltaColumn column : columns) {
      List<String> path = new ArrayList<>(parent);
      path.add(column.name());
      Level own = level.of(column.physicalName());
      if (column.type() == Nested.STRUCT) {
        collect(column.children(), path, own, facts);
      } else if (!(column.type() instanceof Nested)) {
        Facts found =
            new Facts(
                bound(column.type(), own.min(), End.MIN).orElse(null),
                bound(column.type(), own.max(), End.MAX).orElse(null),
                own.nullCount());
        if (found.min() != null || found.max() != null || found.nulls() != null) {
          facts.put(List.copyOf(path), found);
        }
      }
    }
  }

  private enum End {
    MIN,
    MAX
  }

  private static Optional<String> bound(ColumnType type, JsonNode value, End end) {
    if (!value.isValueNode() || value.isNull()) {
      return Optional.empty();
    }
    String text = value.asText();
    if (type instanceof Decimal decimal) {
      return decimal(decimal, value);
    }
    if (type == Scalar.VARCHAR) {
      return end == End.MIN || text.length() < SHORTEST_CUT ? Optional.of(text) : Optional.empty();
    }
    if (type == Scalar.TIMESTAMP) {
      return timestamp(text, end);
    }
    if (type == Scalar.TIMESTAMPTZ) {
      return timestamp(text, end).map(found -> found + "+00");
    }
    return BoundText.isOrdered(type) && BoundText.parse(type, text).isPresent()
        ? PartitionText.canonical(type, text)
        : Optional.empty();
  }

  private static Optional<String> decimal(Decimal type, JsonNode value) {
    if (!value.isNumber()) {
      return Optional.empty();
    }
    BigDecimal number = value.decimalValue();
    return number.precision() <= EXACT_DIGITS
        ? PartitionText.canonical(type, number.toPlainString())
        : Optional.empty();
  }

  /** Timestamps are cut to milliseconds, downwards: a maximum may lie that much above. */
  private static Optional<String> timestamp(String text, End end) {
    return DeltaTimes.timestamp(text)
        .map(
            found ->
                switch (end) {
                  case MIN -> found.utc();
                  case MAX -> raised(found.utc(), found.fractionDigits());
                })
        .map(DeltaTimes::spelled);
  }

  private static LocalDateTime raised(LocalDateTime cut, int fractionDigits) {
    if (fractionDigits <= MILLISECOND_DIGITS) {
      return cut.plusNanos(NANOS_CUT_FROM_MILLISECOND);
    }
    return fractionDigits <= MICROSECOND_DIGITS ? cut : cut.plusNanos(NANOS_CUT_FROM_MICROSECOND);
  }
}
