package dev.sluice.catalog.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A data file from which a range of snapshots may have removed rows. A row's removal is the
 * earliest that anything here says of it.
 *
 * @param file the file with all its delete files up to the end of the range
 * @param positions what was deleted through the catalog
 * @param ended the snapshot of the range that removed whatever was left; null when none did
 */
public record RemovedRows(ScanFile file, List<DeletedPosition> positions, @Nullable Long ended) {

  /** Copies the positions. */
  public RemovedRows {
    positions = List.copyOf(positions);
  }
}
