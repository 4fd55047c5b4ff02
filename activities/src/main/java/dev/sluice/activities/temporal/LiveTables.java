package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.Publication;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogReader;

/** Whether what was published is still there. Stateless. */
final class LiveTables {
  private LiveTables() {}

  /** False when the table was dropped, or dropped and made anew by somebody else. */
  static boolean isThere(LakeAccess lake, Publication publication) {
    CatalogReader reader = lake.catalog().reader();
    TableName name = new TableName(publication.target().schema(), publication.target().table());
    return reader
        .view(reader.latest())
        .findTable(name)
        .filter(table -> table.id() == publication.tableId())
        .isPresent();
  }
}
