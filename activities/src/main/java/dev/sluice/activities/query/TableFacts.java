package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigInteger;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a table say, whatever their order and however they are spread over files. Maps
 * are by the column's name and hold what was wanted.
 *
 * @param rows how many there are
 * @param rowDigest sum of the digests of whole rows; zero when no digest was wanted
 * @param digests sums of the values' digests
 * @param nulls how many rows are NULL
 * @param ranges least and greatest value
 * @param distinct how many different values there are, NULL aside
 * @param groups rows per value
 */
public record TableFacts(
    long rows,
    BigInteger rowDigest,
    Map<String, BigInteger> digests,
    Map<String, Long> nulls,
    Map<String, Range> ranges,
    Map<String, Long> distinct,
    Map<String, Map<Optional<String>, Long>> groups) {

  /** Copies the maps. */
  public TableFacts {
    digests = Map.copyOf(digests);
    nulls = Map.copyOf(nulls);
    ranges = Map.copyOf(ranges);
    distinct = Map.copyOf(distinct);
    groups = Map.copyOf(groups);
  }

  /** Whether values of a type are grouped by day. */
  public static boolean isGroupedByDay(ColumnType type) {
    return type instanceof Scalar scalar
        && switch (scalar) {
          case DATE,
              TIMESTAMP,
              TIMESTAMP_US,
              TIMESTAMP_S,
              TIMESTAMP_MS,
              TIMESTAMP_NS,
              TIMESTAMPTZ ->
              true;
          case BOOLEAN,
              INT8,
              INT16,
              INT32,
              INT64,
              INT128,
              UINT8,
              UINT16,
              UINT32,
              UINT64,
              UINT128,
              FLOAT32,
              FLOAT64,
              TIME,
              TIME_NS,
              TIMETZ,
              INTERVAL,
              VARCHAR,
              JSON,
              BLOB,
              UUID,
              GEOMETRY,
              VARIANT ->
              false;
        };
  }

  /**
   * Bounds as DuckDB's text, NaN aside and with one zero.
   *
   * @param min the least value; null when there is none
   * @param max the greatest value; null when there is none
   */
  public record Range(@Nullable String min, @Nullable String max) {}

  /**
   * What to find out, each for some columns.
   *
   * @param digests for whether values are the same
   * @param nulls for how many rows are NULL
   * @param ranges for bounds, of types that have an order
   * @param distinct for how many different values there are
   * @param groups for rows per value, and per day for dates and timestamps
   */
  public record Wanted(
      List<Column> digests,
      List<Column> nulls,
      List<Column> ranges,
      List<Column> distinct,
      List<Column> groups) {

    /** Copies the lists. */
    public Wanted {
      digests = List.copyOf(digests);
      nulls = List.copyOf(nulls);
      ranges = List.copyOf(ranges);
      distinct = List.copyOf(distinct);
      groups = List.copyOf(groups);
    }

    /** Whether nothing but the number of rows is wanted. */
    public boolean isNothing() {
      return columns().isEmpty();
    }

    Set<Column> columns() {
      Set<Column> all = new LinkedHashSet<>(digests);
      all.addAll(nulls);
      all.addAll(ranges);
      all.addAll(distinct);
      all.addAll(groups);
      return all;
    }

    /** The facts of no rows at all. */
    public TableFacts ofNoRows() {
      return new TableFacts(
          0,
          BigInteger.ZERO,
          all(digests, BigInteger.ZERO),
          all(nulls, 0L),
          all(ranges, new Range(null, null)),
          all(distinct, 0L),
          all(groups, Map.of()));
    }

    private static <T> Map<String, T> all(List<Column> columns, T value) {
      return columns.stream().collect(Collectors.toMap(Column::name, column -> value));
    }
  }
}
