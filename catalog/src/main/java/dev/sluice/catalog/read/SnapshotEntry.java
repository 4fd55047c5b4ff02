package dev.sluice.catalog.read;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.SnapshotChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot with what its commit recorded about itself.
 *
 * @param snapshot the snapshot
 * @param changes the parsed change log; empty when nothing was recorded
 * @param author free text; null when the commit gave none
 * @param message free text; null when the commit gave none
 * @param extraInfo free text; null when the commit gave none
 */
public record SnapshotEntry(
    Snapshot snapshot,
    List<SnapshotChange> changes,
    @Nullable String author,
    @Nullable String message,
    @Nullable String extraInfo) {

  /** Copies the changes. */
  public SnapshotEntry {
    changes = List.copyOf(changes);
  }
}
