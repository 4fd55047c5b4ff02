package dev.sluice.activities.query;

import dev.sluice.activities.query.TableFacts.Wanted;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * SQL that finds facts out over several batches: every batch adds to tables of partial results, in
 * DuckDB's own types, and a last query puts them together.
 */
final class FactsSql {

  static final String PARTIAL = "partial_facts";

  private final Wanted wanted;

  FactsSql(Wanted wanted) {
    this.wanted = wanted;
  }

  /** The table of a column's distinct values: {@code v}. */
  static String distinct(Column column) {
    return "distinct_" + column.id();
  }

  /** The table of a column's groups: {@code v, n}. */
  static String groups(Column column) {
    return "groups_" + column.id();
  }

  /** One row of partial results of a relation. */
  String partial(String relation) {
    ColumnDigest digest = new ColumnDigest();
    String digests =
        wanted.digests().stream()
            .map(column -> ", " + digest.of(column, name(column)) + " AS d" + column.id())
            .collect(Collectors.joining());
    List<String> parts = new ArrayList<>();
    parts.add("count(*) AS n");
    if (!wanted.digests().isEmpty()) {
      parts.add(
          wanted.digests().stream()
              .map(column -> "d" + column.id())
              .collect(Collectors.joining(", ", "sum(hash(", ")) AS r")));
    }
    wanted.digests().forEach(column -> parts.add("sum(d%1$d) AS s%1$d".formatted(column.id())));
    for (Column column : wanted.nulls()) {
      parts.add("count(*) - count(%s) AS k%d".formatted(name(column), column.id()));
    }
    for (Column column : wanted.ranges()) {
      parts.add("min(%s)%s AS lo%d".formatted(ranged(column), notNan(column), column.id()));
      parts.add("max(%s)%s AS hi%d".formatted(ranged(column), notNan(column), column.id()));
    }
    return "SELECT %s FROM (SELECT *%s FROM (%s) t) t"
        .formatted(String.join(", ", parts), digests, relation);
  }

  /** The partial results put together, as text in the order rows, row digest, and as wanted. */
  String total() {
    List<String> parts = new ArrayList<>();
    parts.add(text("sum(n)"));
    parts.add(wanted.digests().isEmpty() ? "'0'" : text("sum(r)"));
    wanted.digests().forEach(column -> parts.add(text("sum(s" + column.id() + ")")));
    wanted.nulls().forEach(column -> parts.add(text("sum(k" + column.id() + ")")));
    for (Column column : wanted.ranges()) {
      parts.add(text("min(lo" + column.id() + ")"));
      parts.add(text("max(hi" + column.id() + ")"));
    }
    return "SELECT " + String.join(", ", parts) + " FROM " + PARTIAL;
  }

  static String distinctOf(Column column, String relation) {
    return "SELECT DISTINCT %1$s AS v FROM (%2$s) t WHERE %1$s IS NOT NULL"
        .formatted(name(column), relation);
  }

  static String distinctTotal(Column column) {
    return "SELECT CAST(count(DISTINCT v) AS VARCHAR) FROM " + distinct(column);
  }

  static String groupsOf(Column column, String relation) {
    return "SELECT %s AS v, count(*) AS n FROM (%s) t GROUP BY 1"
        .formatted(grouped(column), relation);
  }

  static String groupsTotal(Column column) {
    return "SELECT v, CAST(sum(n) AS VARCHAR) FROM %s GROUP BY v".formatted(groups(column));
  }

  /** Dates and times of one day are one group, as the old system had it. */
  private static String grouped(Column column) {
    String name = name(column);
    return Sql.cast(
        TableFacts.isGroupedByDay(column.type()) ? Sql.cast(name, "DATE") : name, "VARCHAR");
  }

  /** Both zeros are one value, and which of them a minimum shows hangs on the rows' order. */
  private static String ranged(Column column) {
    return isFloat(column)
        ? name(column) + " + " + Sql.cast("0", SqlType.of(column))
        : name(column);
  }

  private static String notNan(Column column) {
    return isFloat(column) ? " FILTER (WHERE NOT isnan(" + name(column) + "))" : "";
  }

  private static boolean isFloat(Column column) {
    return column.type() == Scalar.FLOAT32 || column.type() == Scalar.FLOAT64;
  }

  private static String name(Column column) {
    return "t." + ColumnNames.of(column);
  }

  private static String text(String expression) {
    return Sql.cast(expression, "VARCHAR");
  }
}
