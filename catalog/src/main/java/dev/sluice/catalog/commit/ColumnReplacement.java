package dev.sluice.catalog.commit;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.catalog.error.CatalogErrors;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes a table's columns those of new content, by name, as far as a policy allows. */
final class ColumnReplacement {

  private final TableDraft table;
  private final SchemaPolicy policy;

  ColumnReplacement(TableDraft table, SchemaPolicy policy) {
    this.table = table;
    this.policy = policy;
  }

  void apply(List<ColumnSpec> wanted) {
    level(null, "", wanted);
  }

  private void level(@Nullable Long parent, String path, List<ColumnSpec> wanted) {
    List<ColumnRow> before = table.columns().children(parent);
    for (ColumnSpec column : wanted) {
      String name = path + column.name();
      Optional<ColumnRow> found = table.columns().find(parent, column.name());
      if (found.isEmpty()) {
        requireNot(SchemaPolicy.FAIL, "column %s is new".formatted(name));
        table.columns().add(parent, column);
      } else {
        change(found.get(), name, column);
      }
    }
    for (ColumnRow row : before) {
      boolean isWanted = wanted.stream().anyMatch(column -> Names.same(column.name(), row.name()));
      if (!isWanted) {
        missing(row, path + row.name());
      }
    }
  }

  private void missing(ColumnRow row, String name) {
    switch (policy) {
      case SYNC, WARN -> ChangeApplier.dropColumn(table, row);
      case ADD_ONLY -> {
        if (!row.nullsAllowed() && row.initialDefault() == null) {
          throw mismatch("column %s is missing and may not be NULL".formatted(name));
        }
      }
      case FAIL -> throw mismatch("column %s is missing".formatted(name));
    }
  }

  /** Old rows keep their promise in older snapshots; new content may bring NULL. */
  private ColumnRow relax(ColumnRow row, String name, ColumnSpec wanted) {
    if (row.nullsAllowed() || wanted.nulls() == Nulls.FORBIDDEN) {
      return row;
    }
    requireNot(SchemaPolicy.FAIL, "column %s may be NULL in it".formatted(name));
    return table.columns().allowNulls(row);
  }

  private void change(ColumnRow stored, String name, ColumnSpec wanted) {
    ColumnRow row = relax(stored, name, wanted);
    if (row.type().equals(wanted.type())) {
      switch (row.type()) {
        case ColumnType.Nested.STRUCT, ColumnType.Nested.LIST, ColumnType.Nested.MAP ->
            level(row.id(), name + ".", wanted.children());
        case ColumnType.Scalar scalar -> {}
        case ColumnType.Decimal decimal -> {}
      }
      return;
    }
    String difference =
        "column %s is %s but the table has %s"
            .formatted(name, wanted.type().text(), row.type().text());
    if (TypePromotion.allowed(wanted.type(), row.type())) {
      return; // the table's type holds every value already
    }
    requireNot(SchemaPolicy.FAIL, difference);
    if (TypePromotion.allowed(row.type(), wanted.type())) {
      table.columns().retype(row, wanted.type());
      return;
    }
    requireNot(SchemaPolicy.ADD_ONLY, difference);
    recreate(row, name, wanted);
  }

  /** A type that cannot be widened to becomes a column of its own; the old one stays in history. */
  private void recreate(ColumnRow row, String name, ColumnSpec wanted) {
    if (table.spec().keys().stream().anyMatch(key -> key.columnId() == row.id())) {
      throw mismatch(
          "partition column %s is %s but the table has %s"
              .formatted(name, wanted.type().text(), row.type().text()));
    }
    AttributeChanges.requireUnsorted(table, row);
    table.columns().recreate(row, wanted);
  }

  private void requireNot(SchemaPolicy forbidding, String difference) {
    if (policy == forbidding) {
      throw mismatch(difference);
    }
  }

  private RuntimeException mismatch(String difference) {
    return CatalogErrors.schemaMismatch(
        table.qualifiedName().toString(), difference, policy.name());
  }
}
