package dev.sluice.catalog.read;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A live data file of a scan, with everything that a reader must apply to it.
 *
 * @param dataFileId the file's id
 * @param path full path
 * @param recordCount rows in the file, deleted ones included
 * @param fileSizeBytes exact size of the object
 * @param footerSize length of the footer; null when unknown
 * @param rowIdStart first row id; null when the rows carry theirs
 * @param beginSnapshot first snapshot that sees the file
 * @param newestRowSnapshot set when rows of the file are newer than the scan's snapshot: rows whose
 *     {@code _ducklake_internal_snapshot_id} is above the scan's snapshot must be dropped
 *     (ducklake-format 6.3); null when every row is visible
 * @param nameMap how columns are found; null when by field id
 * @param partitionId the spec the file was written under; null when unpartitioned
 * @param partitionValues by key index of that spec, each null for SQL NULL
 * @param deleteFiles live delete files; more than one only in a damaged lake, and then all apply
 * @param inlinedDeletes positions deleted through the catalog, ascending; they may repeat positions
 *     of the delete files
 */
public record ScanFile(
    long dataFileId,
    String path,
    long recordCount,
    long fileSizeBytes,
    @Nullable Long footerSize,
    @Nullable Long rowIdStart,
    long beginSnapshot,
    @Nullable Long newestRowSnapshot,
    @Nullable NameMap nameMap,
    @Nullable Long partitionId,
    List<Optional<String>> partitionValues,
    List<DeleteFile> deleteFiles,
    List<Long> inlinedDeletes) {

  /** Copies the lists. */
  public ScanFile {
    partitionValues = List.copyOf(partitionValues);
    deleteFiles = List.copyOf(deleteFiles);
    inlinedDeletes = List.copyOf(inlinedDeletes);
  }

  /** Whether the file's row count in the catalog is what a reader will see of it. */
  public boolean isWhole() {
    return deleteFiles.isEmpty() && inlinedDeletes.isEmpty() && newestRowSnapshot == null;
  }

  /**
   * A positional delete file in Parquet: column {@code pos}, and perhaps {@code
   * _ducklake_internal_snapshot_id}, in which case only positions of snapshots up to the scan's
   * apply.
   *
   * @param deleteFileId its id
   * @param beginSnapshot the snapshot of its positions, unless it says so for each of them
   * @param path full path
   * @param deleteCount positions in it
   * @param fileSizeBytes exact size of the object
   * @param footerSize length of the footer; null when unknown
   */
  public record DeleteFile(
      long deleteFileId,
      long beginSnapshot,
      String path,
      long deleteCount,
      long fileSizeBytes,
      @Nullable Long footerSize) {}
}
