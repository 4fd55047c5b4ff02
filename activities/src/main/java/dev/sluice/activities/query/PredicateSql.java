package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.Predicate.And;
import dev.sluice.catalog.read.Predicate.Comparison;
import dev.sluice.catalog.read.Predicate.In;
import dev.sluice.catalog.read.Predicate.IsNotNull;
import dev.sluice.catalog.read.Predicate.IsNull;
import dev.sluice.catalog.read.Predicate.Not;
import dev.sluice.catalog.read.Predicate.Operator;
import dev.sluice.catalog.read.Predicate.Or;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A predicate as SQL over the columns of {@link ColumnNames}. */
final class PredicateSql {

  private final Table table;

  PredicateSql(Table table) {
    this.table = table;
  }

  String of(Predicate predicate) {
    return switch (predicate) {
      case And and -> joined(and.parts(), " AND ", "TRUE");
      case Or or -> joined(or.parts(), " OR ", "FALSE");
      case Not not -> "(NOT " + of(not.part()) + ")";
      case Comparison comparison ->
          comparison(column(comparison.column()), comparison.operator(), comparison.literal());
      case In in -> {
        Target column = column(in.column());
        yield in.literals().stream()
            .map(literal -> comparison(column, Operator.EQUAL, literal))
            .collect(Collectors.joining(" OR ", "(FALSE OR ", ")"));
      }
      case IsNull isNull -> "(" + column(isNull.column()).sql() + " IS NULL)";
      case IsNotNull isNotNull -> "(" + column(isNotNull.column()).sql() + " IS NOT NULL)";
    };
  }

  /** The top-level columns that the predicate reads. */
  static Set<Column> columns(Table table, Predicate predicate) {
    Set<Column> columns = new LinkedHashSet<>();
    collect(new PredicateSql(table), predicate, columns);
    return columns;
  }

  private static void collect(PredicateSql sql, Predicate predicate, Set<Column> columns) {
    switch (predicate) {
      case And and -> and.parts().forEach(part -> collect(sql, part, columns));
      case Or or -> or.parts().forEach(part -> collect(sql, part, columns));
      case Not not -> collect(sql, not.part(), columns);
      case Comparison comparison -> columns.add(sql.column(comparison.column()).topLevel());
      case In in -> columns.add(sql.column(in.column()).topLevel());
      case IsNull isNull -> columns.add(sql.column(isNull.column()).topLevel());
      case IsNotNull isNotNull -> columns.add(sql.column(isNotNull.column()).topLevel());
    }
  }

  private String joined(List<Predicate> parts, String word, String none) {
    return parts.isEmpty()
        ? none
        : parts.stream().map(this::of).collect(Collectors.joining(word, "(", ")"));
  }

  /**
   * The pruner and the rows must not disagree about what a comparison means: a float beside any
   * other number is compared as double on both sides; everything else is left to DuckDB, which
   * compares numbers of different types exactly.
   */
  private static String comparison(Target target, Operator operator, Literal literal) {
    String value = Sql.cast(Sql.literal(literal.text()), SqlType.scalar(literal.type()));
    String column = isFloat(target.leaf().type()) ? unpruned(target) : target.sql();
    if (isFloat(target.leaf().type()) != isFloat(literal.type())
        || (isFloat(literal.type()) && !target.leaf().type().equals(literal.type()))) {
      column = Sql.cast(column, "DOUBLE");
      value = Sql.cast(value, "DOUBLE");
    }
    return "(%s %s %s)".formatted(column, operator.sql(), value);
  }

  /**
   * The column's own value, spelled so that DuckDB cannot look at a footer to skip row groups:
   * parquet-java (1.18 and later) leaves NaN out of a row group's bounds and counts it apart, but
   * DuckDB 1.5.5 takes the bounds for all values and would lose the rows with NaN.
   */
  private static String unpruned(Target target) {
    return "(CASE WHEN isnan(%s) THEN %s ELSE %s END)"
        .formatted(
            target.sql(),
            Sql.cast(Sql.literal("NaN"), SqlType.scalar(target.leaf().type())),
            target.sql());
  }

  private static boolean isFloat(ColumnType type) {
    return type == Scalar.FLOAT32 || type == Scalar.FLOAT64;
  }

  private Target column(List<String> path) {
    Column topLevel = find(table.columns(), path.get(0), path);
    Column leaf = topLevel;
    StringBuilder sql = new StringBuilder(ColumnNames.of(topLevel));
    for (String name : path.subList(1, path.size())) {
      leaf = find(leaf.children(), name, path);
      sql.insert(0, "struct_extract(").append(", ").append(Sql.literal(leaf.name())).append(')');
    }
    return new Target(topLevel, leaf, sql.toString());
  }

  private Column find(List<Column> columns, String name, List<String> path) {
    return columns.stream()
        .filter(column -> column.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> QueryErrors.noColumn(table.name(), String.join(".", path), columns));
  }

  private record Target(Column topLevel, Column leaf, String sql) {}
}
