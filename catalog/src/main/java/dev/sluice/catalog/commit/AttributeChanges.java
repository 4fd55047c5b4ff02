package dev.sluice.catalog.commit;

import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.error.CatalogErrors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Changes what is said about tables and columns without touching a row of theirs. */
final class AttributeChanges {

  private final LakeDraft lake;
  private final NullEvidence nulls;

  AttributeChanges(LakeDraft lake, NullEvidence nulls) {
    this.lake = lake;
    this.nulls = nulls;
  }

  void setSortOrder(Change.SetSortOrder set) {
    TableDraft table = lake.require(set.table());
    Set<String> seen = new HashSet<>();
    for (SortKey key : set.keys()) {
      boolean known =
          table.columns().children(null).stream().anyMatch(row -> key.isColumn(row.name()));
      if (!known) {
        throw CatalogErrors.invalid(
            "table " + table.qualifiedName(),
            "cannot be sorted by " + key.expression(),
            "it is no column of the table's top level",
            "sort by a column's name; an expression can be set with DuckDB");
      }
      if (!seen.add(Names.lower(key.expression()))) {
        throw CatalogErrors.invalid(
            "table " + table.qualifiedName(),
            "cannot be sorted by %s twice".formatted(key.expression()),
            "the second key never decides",
            "leave it out");
      }
    }
    if (!table.sortKeys().equals(set.keys())) {
      table.sortBy(set.keys());
    }
  }

  /** The sort order names columns in SQL text: a plain name can follow, an expression cannot. */
  static void followRename(TableDraft table, ColumnRow column, String newName) {
    if (column.parent() != null) {
      return;
    }
    List<SortKey> keys = new ArrayList<>();
    boolean changed = false;
    for (SortKey key : table.sortKeys()) {
      boolean same = key.isColumn(column.name());
      keys.add(same ? key.on(newName) : key);
      changed |= same;
    }
    requireUnused(table, column, keys.stream().filter(key -> !key.isColumn(newName)).toList());
    if (changed) {
      table.sortBy(keys);
    }
  }

  static void requireUnsorted(TableDraft table, ColumnRow column) {
    requireUnused(table, column, table.sortKeys());
  }

  private static void requireUnused(TableDraft table, ColumnRow column, List<SortKey> keys) {
    boolean sorted =
        column.parent() == null
            && keys.stream()
                .anyMatch(
                    key -> Names.lower(key.expression()).contains(Names.lower(column.name())));
    if (sorted) {
      throw CatalogErrors.invalid(
          "table " + table.qualifiedName(),
          "column %s cannot be changed".formatted(column.name()),
          "the table's sort order uses it",
          "set another sort order first, or none");
    }
  }

  void setComment(Change.SetComment set) {
    TableDraft table = lake.require(set.table());
    if (set.column().isEmpty()) {
      table.comment(set.comment());
    } else {
      table.columnComments().put(table.columns().require(set.column()).id(), set.comment());
    }
  }

  void setDefault(Change.SetDefault set) {
    TableDraft table = lake.require(set.table());
    ColumnRow column = table.columns().require(List.of(set.column()));
    @Nullable String constant = set.constant();
    Optional.ofNullable(constant)
        .ifPresent(
            value ->
                DefaultCheck.requireConstant(
                    table.qualifiedName().toString(), column.name(), column.type(), value));
    table.columns().set(column.withDefault(constant));
  }

  void setNulls(Change.SetNulls set) {
    TableDraft table = lake.require(set.table());
    ColumnRow column = table.columns().require(List.of(set.column()));
    if (set.nulls() == Nulls.FORBIDDEN && column.nullsAllowed()) {
      nulls.requireNone(table, column);
    }
    table.columns().set(column.withNulls(set.nulls() == Nulls.ALLOWED));
  }
}
