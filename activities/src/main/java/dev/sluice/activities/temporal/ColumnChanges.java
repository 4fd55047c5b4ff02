package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.Publication;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.SnapshotNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a publication did to its table's top-level columns, read off the catalog afterwards. */
final class ColumnChanges {

  private ColumnChanges() {}

  /**
   * Compares the table just before with the published one.
   *
   * @return all differences in words; empty when there is none, the table was made, or the
   *     snapshots have expired
   */
  static Optional<String> of(CatalogReader reader, Publication publication) {
    Optional<Table> before = at(reader, publication, publication.snapshotId() - 1);
    Optional<Table> after = at(reader, publication, publication.snapshotId());
    if (before.isEmpty() || after.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Column> old = byName(before.get());
    Map<String, Column> now = byName(after.get());
    List<String> changes = new ArrayList<>();
    now.forEach(
        (name, column) -> {
          Column was = old.get(name);
          if (was == null) {
            changes.add("column %s %s is new".formatted(name, column.type().text()));
          } else if (!was.spec().equals(column.spec())) {
            changes.add(
                "column %s was %s and is %s"
                        .formatted(name, was.type().text(), column.type().text())
                    + (was.type().equals(column.type()) ? ", changed otherwise" : ""));
          }
        });
    old.keySet().stream()
        .filter(name -> !now.containsKey(name))
        .forEach(name -> changes.add("column %s is gone".formatted(name)));
    return changes.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", changes));
  }

  private static Optional<Table> at(CatalogReader reader, Publication publication, long id) {
    Snapshot snapshot;
    try {
      snapshot = reader.snapshot(id);
    } catch (SnapshotNotFoundException expired) {
      return Optional.empty();
    }
    return reader.view(snapshot).findTable(publication.tableId());
  }

  private static Map<String, Column> byName(Table table) {
    return table.columns().stream()
        .collect(
            Collectors.toMap(Column::name, Function.identity(), (one, two) -> one, TreeMap::new));
  }
}
