package dev.sluice.activities.lake.sequence;

import dev.sluice.activities.query.Sql;
import dev.sluice.activities.query.SqlType;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Columns of random types. */
final class Columns {

  private static final List<String> NAMES =
      List.of("v", "f", "d", "m", "order", "a b", "Gr\u00f6\u00dfe", "x", "y", "quo\"te", "z", "w");

  private static final List<ColumnType> SCALARS =
      List.of(
          Scalar.VARCHAR,
          Scalar.VARCHAR,
          Scalar.FLOAT64,
          Scalar.FLOAT32,
          Scalar.DATE,
          Scalar.TIMESTAMP,
          Scalar.BOOLEAN,
          Scalar.INT8,
          Scalar.INT16,
          Scalar.INT32,
          Scalar.UINT8,
          Scalar.BLOB,
          Scalar.UUID,
          new Decimal(6, 2));

  private Columns() {}

  /**
   * A column that allows NULL. Structs hold numbers and plain texts only: DuckDB 1.5.5 writes
   * structs of other types into the catalog in a form that it cannot read (docs/reference/
   * duckdb-faults.md).
   */
  static ColumnSpec random(String name, Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> nested(name, Nested.LIST, ColumnSpec.of("element", Scalar.INT32));
      case 1, 2 ->
          nested(
              name,
              Nested.STRUCT,
              ColumnSpec.of("a", Scalar.INT32),
              ColumnSpec.of("b", Scalar.VARCHAR));
      case 3 ->
          nested(
              name,
              Nested.MAP,
              ColumnSpec.of("key", Scalar.VARCHAR),
              ColumnSpec.of("value", Scalar.INT32));
      default -> ColumnSpec.of(name, SCALARS.get(random.nextInt(SCALARS.size())));
    };
  }

  private static ColumnSpec nested(String name, Nested type, ColumnSpec... children) {
    return ColumnSpec.nested(name, type, List.of(children));
  }

  /** A name that none of the others has, in whatever case. */
  static Optional<String> freeName(List<String> taken, Random random) {
    List<String> free = new ArrayList<>(NAMES);
    free.removeIf(name -> taken.stream().anyMatch(name::equalsIgnoreCase));
    return free.isEmpty() ? Optional.empty() : Optional.of(free.get(random.nextInt(free.size())));
  }

  /** Name and type. */
  static String sql(ColumnSpec spec) {
    return Sql.identifier(spec.name()) + " " + SqlType.of(column(spec));
  }

  static String sqlType(ColumnType type) {
    return SqlType.of(column(ColumnSpec.of("x", type)));
  }

  /** As it would be in a table, for what its values look like. */
  static Column column(ColumnSpec spec) {
    return new Column(
        1,
        spec.name(),
        spec.type(),
        spec.nulls(),
        spec.initialDefault(),
        null,
        null,
        null,
        spec.children().stream().map(Columns::column).toList());
  }
}
