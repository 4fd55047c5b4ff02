package dev.sluice.worker.cli;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.CatalogView;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table as a command was asked for it.
 *
 * @param view the lake at the snapshot
 * @param table the table there
 */
record TableAtSnapshot(CatalogView view, Table table) {

  /** Finds it; refuses what does not exist. */
  static TableAtSnapshot of(CatalogReader reader, TableName name, @Nullable String at) {
    CatalogView view = reader.view(SnapshotArgument.resolve(reader, at));
    return new TableAtSnapshot(view, view.table(name));
  }

  Snapshot snapshot() {
    return view.snapshot();
  }

  /** What every answer about it begins with. */
  Map<String, @Nullable Object> tree() {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("schema", table.name().schema());
    tree.put("table", table.name().table());
    tree.put("snapshot", snapshot().id());
    return tree;
  }
}
