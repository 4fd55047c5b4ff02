package dev.sluice.catalog.commit;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.error.CatalogErrors;
import java.util.Optional;

/**
 * Defaults of new columns. A default that DuckDB cannot cast to the column's type makes it refuse
 * the whole catalog (ducklake-format 4.9).
 */
final class DefaultCheck {

  private DefaultCheck() {}

  /** Refuses a column that rows which are there already could not have. */
  static void requireValue(String table, ColumnSpec column) {
    if (column.initialDefault() == null && column.nulls() == Nulls.FORBIDDEN) {
      throw refused(table, column, "it may not be NULL, and the rows that are there have nothing");
    }
  }

  /** Refuses a default that is no constant of the column's type. */
  static void requireUsable(String table, ColumnSpec column) {
    String constant = column.initialDefault();
    if (constant == null) {
      return;
    }
    unusable(column.type(), constant)
        .ifPresent(
            reason -> {
              throw refused(table, column, reason);
            });
  }

  /** Refuses a default for a column that is there. */
  static void requireConstant(String table, String column, ColumnType type, String constant) {
    unusable(type, constant)
        .ifPresent(
            reason -> {
              throw CatalogErrors.invalid(
                  "table " + table,
                  "column %s cannot have the default %s".formatted(column, constant),
                  reason,
                  "give a constant of the column's type");
            });
  }

  private static Optional<String> unusable(ColumnType type, String constant) {
    if (type instanceof ColumnType.Nested) {
      return Optional.of("nested columns cannot have a default");
    }
    if (constant.equals(ColumnRow.NO_DEFAULT)) {
      return Optional.of("the catalog spells 'no default' NULL, so no default can be NULL");
    }
    return BoundText.isOrdered(type) && BoundText.parse(type, constant).isEmpty()
        ? Optional.of("'%s' is no %s".formatted(constant, type.text()))
        : Optional.empty();
  }

  private static RuntimeException refused(String table, ColumnSpec column, String reason) {
    return CatalogErrors.invalid(
        "table " + table,
        "column %s cannot be added".formatted(column.name()),
        reason,
        "give a constant of the column's type, or allow NULL");
  }
}
