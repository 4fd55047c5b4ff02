package dev.sluice.activities.lake.sequence;

import dev.sluice.activities.query.Sql;
import dev.sluice.activities.query.SqlType;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Values as SQL expressions over a whole number, the same in every DuckDB. */
final class Values {

  /** No -0.0: where DuckDB sorts rows by the column, it becomes 0.0. */
  private static final String FLOATS =
      "CASE # % 6 WHEN 0 THEN 'NaN' WHEN 1 THEN '-inf' WHEN 2 THEN 'inf' ELSE (# % 60 / 4)::VARCHAR"
          + " END";

  /** By type, with {@code #} for a whole number; other types take it below 100. */
  private static final Map<Scalar, String> SCALARS =
      Map.of(
          Scalar.BOOLEAN,
          "# % 2 = 0",
          Scalar.DATE,
          "DATE '2023-12-29' + (# % 400)::INTEGER",
          Scalar.TIMESTAMP,
          "TIMESTAMP '2023-12-29 22:30:00.25' + INTERVAL 1 HOUR * (# % 9000)",
          Scalar.FLOAT32,
          FLOATS,
          Scalar.FLOAT64,
          FLOATS,
          Scalar.VARCHAR,
          "'v' || # % 12",
          Scalar.BLOB,
          "('\\x0' || # % 10)::BLOB",
          Scalar.UUID,
          "'00000000-0000-0000-0000-0000000000' || (10 + # % 60)");

  private Values() {}

  /**
   * A value of the column's type, NULL now and then where the column allows it.
   *
   * @param n SQL of a whole number that is not NULL
   */
  static String of(Column column, String n, Random random) {
    String value = Sql.cast(plain(column, n, random), SqlType.of(column));
    return column.nulls() == Nulls.FORBIDDEN || random.nextInt(3) == 0
        ? value
        : "CASE WHEN (%s + %d) %% 5 = 0 THEN NULL ELSE %s END"
            .formatted(n, random.nextInt(5), value);
  }

  private static String plain(Column column, String n, Random random) {
    String mixed = "(%s * %d + %d)".formatted(n, 1 + random.nextInt(11), random.nextInt(60));
    return switch (column.type()) {
      case Decimal decimal -> mixed + " % 9999 / 100";
      case Scalar scalar -> SCALARS.getOrDefault(scalar, "# % 100").replace("#", mixed);
      case Nested nested ->
          switch (nested) {
            case LIST ->
                "CASE %s %% 3 WHEN 0 THEN [] ELSE [%s, NULL] END"
                    .formatted(mixed, of(column.children().get(0), n, random));
            case MAP ->
                "MAP {'k' || %s %% 4: %s}"
                    .formatted(mixed, of(column.children().get(1), n, random));
            case STRUCT ->
                column.children().stream()
                    .map(field -> Sql.literal(field.name()) + ": " + of(field, n, random))
                    .collect(Collectors.joining(", ", "{", "}"));
          };
    };
  }
}
