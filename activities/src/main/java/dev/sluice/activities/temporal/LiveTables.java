package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.Publication;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.workflows.activity.Preparation;
import java.util.List;
import java.util.Optional;

/** The tables of publications as they are in the catalog now. Stateless. */
final class LiveTables {
  private LiveTables() {}

  /** The table that a preparation is for; empty before its first publication. */
  static Optional<Table> find(LakeAccess lake, Preparation preparation) {
    return find(lake, lake.catalog().reader().latest(), name(preparation));
  }

  /** Its files; none before its first publication. */
  static List<ScanFile> files(LakeAccess lake, Preparation preparation) {
    CatalogReader reader = lake.catalog().reader();
    Snapshot newest = reader.latest();
    return find(lake, newest, name(preparation))
        .map(table -> reader.plan(newest, table, Predicate.all()).files())
        .orElse(List.of());
  }

  /** False when the table was dropped, or dropped and made anew by somebody else. */
  static boolean isThere(LakeAccess lake, Publication publication) {
    TableName name = new TableName(publication.target().schema(), publication.target().table());
    return find(lake, lake.catalog().reader().latest(), name)
        .filter(table -> table.id() == publication.tableId())
        .isPresent();
  }

  /** What a preparation's table is called. */
  static TableName name(Preparation preparation) {
    return new TableName(preparation.schema(), preparation.table());
  }

  private static Optional<Table> find(LakeAccess lake, Snapshot snapshot, TableName name) {
    return lake.catalog().reader().view(snapshot).findTable(name);
  }
}
