package dev.sluice.activities.lake.sequence;

import dev.sluice.activities.query.Sql;
import dev.sluice.activities.query.SqlType;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.Predicate.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Which rows: as our predicate, by which files are left out, and as SQL to everybody else.
 *
 * @param predicate ours
 * @param sql the same to DuckDB
 */
record Condition(Predicate predicate, String sql) {

  /** One comparison, or two that are joined. */
  static Condition random(Table table, Random random) {
    Condition first = single(table, random);
    return switch (random.nextInt(6)) {
      case 0 -> joined(first, " AND ", single(table, random));
      case 1 -> joined(first, " OR ", single(table, random));
      case 2 -> new Condition(new Predicate.Not(first.predicate()), "NOT (" + first.sql() + ")");
      default -> first;
    };
  }

  private static Condition joined(Condition left, String word, Condition right) {
    List<Predicate> parts = List.of(left.predicate(), right.predicate());
    return new Condition(
        word.contains("AND") ? new Predicate.And(parts) : new Predicate.Or(parts),
        "(" + left.sql() + ")" + word + "(" + right.sql() + ")");
  }

  private record Leaf(List<String> path, Column column) {
    String sql() {
      StringBuilder sql = new StringBuilder(Sql.identifier(path.get(0)));
      path.subList(1, path.size()).forEach(each -> sql.append('.').append(Sql.identifier(each)));
      // DuckDB would take the first part of s.a for a table
      return path.size() == 1 ? sql.toString() : "(" + dotted() + ")";
    }

    private String dotted() {
      String sql = Sql.identifier(path.get(0));
      for (String field : path.subList(1, path.size())) {
        sql = "struct_extract(" + sql + ", " + Sql.literal(field) + ")";
      }
      return sql;
    }
  }

  private static void leaves(List<String> above, List<Column> columns, List<Leaf> leaves) {
    for (Column column : columns) {
      List<String> path = new ArrayList<>(above);
      path.add(column.name());
      if (column.type() == Nested.STRUCT) {
        leaves(path, column.children(), leaves);
      } else if (!(column.type() instanceof Nested)) {
        leaves.add(new Leaf(path, column));
      }
    }
  }

  private static Condition single(Table table, Random random) {
    List<Leaf> leaves = new ArrayList<>();
    leaves(List.of(), table.columns(), leaves);
    Leaf leaf = leaves.get(random.nextInt(leaves.size()));
    if (random.nextInt(5) == 0) {
      return random.nextBoolean()
          ? new Condition(new Predicate.IsNull(leaf.path()), leaf.sql() + " IS NULL")
          : new Condition(new Predicate.IsNotNull(leaf.path()), leaf.sql() + " IS NOT NULL");
    }
    Operator operator = operator(leaf.column().type(), random);
    Literal literal = literal(leaf.column().type(), random);
    return new Condition(
        new Predicate.Comparison(leaf.path(), operator, literal),
        leaf.sql()
            + " "
            + operator.sql()
            + " "
            + Sql.literal(literal.text())
            + "::"
            + SqlType.of(leaf.column()));
  }

  /**
   * Floats are never compared by {@code <>}, not even as the negation of {@code =}: DuckDB 1.5.5
   * leaves out files that hold NaN and one other value; and blobs not by {@code =}, which it does
   * not find (docs/reference/duckdb-faults.md).
   */
  private static Operator operator(ColumnType type, Random random) {
    List<Operator> all = new ArrayList<>(Arrays.asList(Operator.values()));
    if (type == Scalar.FLOAT32 || type == Scalar.FLOAT64 || type == Scalar.BLOB) {
      all.removeAll(List.of(Operator.NOT_EQUAL, Operator.EQUAL));
    }
    return all.get(random.nextInt(all.size()));
  }

  /** Texts by type, with the place of a number below 60; other types take the number itself. */
  private static Literal literal(ColumnType type, Random random) {
    int n = random.nextInt(60);
    int digit = 1 + n % 9;
    String text =
        Map.<ColumnType, String>of(
                Scalar.BOOLEAN,
                n % 2 == 0 ? "true" : "false",
                Scalar.DATE,
                "2024-0" + digit + "-11",
                Scalar.TIMESTAMP,
                "2024-0" + digit + "-11 06:00:00",
                Scalar.VARCHAR,
                "v" + n % 12,
                Scalar.BLOB,
                "\\x0" + digit,
                Scalar.UUID,
                "00000000-0000-0000-0000-0000000000" + (10 + n))
            .getOrDefault(type, Integer.toString(n));
    return new Literal(type, text);
  }
}
