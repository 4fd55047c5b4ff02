package dev.sluice.activities.lake;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogView;
import java.util.List;

/**
 * What a write is planned on.
 *
 * @param snapshot the newest snapshot when planning began
 * @param table the table as of it
 * @param sortOrder the table's sort order
 * @param options how the lake wants files
 */
record WriteBase(Snapshot snapshot, Table table, List<SortKey> sortOrder, CopyOptions options) {

  WriteBase {
    sortOrder = List.copyOf(sortOrder);
  }

  /**
   * Looks now.
   *
   * @throws dev.sluice.catalog.read.TableNotFoundException if there is no such table
   */
  static WriteBase now(Catalog catalog, String doing, TableName name) {
    Snapshot snapshot = catalog.reader().latest();
    CatalogView view = catalog.reader().view(snapshot);
    Table table = view.table(name);
    return new WriteBase(
        snapshot,
        table,
        view.sortKeys(table),
        CopyOptions.of(doing, catalog.reader().options(), view, table));
  }

  /** Whether rows that were written for this base fit the other as they are. */
  boolean hasLayoutOf(WriteBase other) {
    return table.id() == other.table.id()
        && table.columns().equals(other.table.columns())
        && table.partitioning().equals(other.table.partitioning());
  }
}
