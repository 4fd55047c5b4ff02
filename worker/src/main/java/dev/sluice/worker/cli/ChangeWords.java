package dev.sluice.worker.cli;

import dev.sluice.catalog.SnapshotChange;
import dev.sluice.catalog.read.SnapshotListing;

/** What a snapshot changed, in words. */
final class ChangeWords {

  private ChangeWords() {}

  static String of(SnapshotChange change, SnapshotListing listing, long snapshot) {
    String what =
        switch (change.kind()) {
          case CREATED_SCHEMA -> "created schema";
          case CREATED_TABLE -> "created table";
          case CREATED_VIEW -> "created view";
          case CREATED_SCALAR_MACRO, CREATED_TABLE_MACRO -> "created macro";
          case DROPPED_SCHEMA -> "dropped schema";
          case DROPPED_TABLE -> "dropped table";
          case DROPPED_VIEW -> "dropped view";
          case DROPPED_SCALAR_MACRO, DROPPED_TABLE_MACRO -> "dropped macro";
          case INSERTED_INTO_TABLE, INLINED_INSERT -> "inserted into";
          case DELETED_FROM_TABLE, INLINED_DELETE -> "deleted from";
          case ALTERED_TABLE -> "altered table";
          case ALTERED_VIEW -> "altered view";
          case INLINE_FLUSH -> "moved rows from the catalog into files of";
          case MERGE_ADJACENT -> "merged files of";
          case REWRITE_DELETE -> "rewrote files without deleted rows of";
          case COMPACTED_TABLE -> "compacted";
          case UNKNOWN -> "";
        };
    return what.isEmpty() ? change.text() : what + " " + name(change, listing, snapshot);
  }

  private static String name(SnapshotChange change, SnapshotListing listing, long snapshot) {
    Long id = change.id();
    if (id != null) {
      return listing.name(id, snapshot).orElse("#" + id);
    }
    return change.name() == null
        ? String.valueOf(change.schema())
        : change.schema() + "." + change.name();
  }
}
