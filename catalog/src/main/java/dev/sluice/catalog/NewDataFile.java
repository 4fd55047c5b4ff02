package dev.sluice.catalog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A finished Parquet object that a commit shall register. Names columns, never ids: the commit
 * resolves them under its lock.
 *
 * @param path full path of the object ({@code s3://bucket/key} or an absolute local path); stored
 *     relative when it lies below the table's path
 * @param recordCount exact row count, above 0 (files without rows are never registered)
 * @param fileSizeBytes exact object size
 * @param footerSize length of the Thrift footer without the 8 trailing bytes; null when unknown
 * @param mapping how the file's columns are found
 * @param partitionValues one per key of the table's spec, any order; empty when the file is not
 *     assigned to the spec
 * @param statistics one per leaf column of the file that the table has; a missing leaf is unknown
 * @param deletes rows of it that are no content; null when all are
 */
public record NewDataFile(
    String path,
    long recordCount,
    long fileSizeBytes,
    @Nullable Long footerSize,
    FileMapping mapping,
    List<PartitionValue> partitionValues,
    List<LeafStatistics> statistics,
    @Nullable Deletes deletes) {

  /** Copies the lists and checks the counts. */
  public NewDataFile {
    if (recordCount <= 0) {
      throw new IllegalArgumentException(
          "%s: record count must be above 0, got %d".formatted(path, recordCount));
    }
    partitionValues = List.copyOf(partitionValues);
    statistics = List.copyOf(statistics);
    if (deletes != null && (deletes.count() <= 0 || deletes.count() > recordCount)) {
      throw new IllegalArgumentException(
          "%s: %d of %d rows cannot be deleted".formatted(path, deletes.count(), recordCount));
    }
  }

  /** A file all of whose rows are content. */
  public NewDataFile(
      String path,
      long recordCount,
      long fileSizeBytes,
      @Nullable Long footerSize,
      FileMapping mapping,
      List<PartitionValue> partitionValues,
      List<LeafStatistics> statistics) {
    this(path, recordCount, fileSizeBytes, footerSize, mapping, partitionValues, statistics, null);
  }

  /** The same file with these of its rows deleted. */
  public NewDataFile with(Deletes deleted) {
    return new NewDataFile(
        path,
        recordCount,
        fileSizeBytes,
        footerSize,
        mapping,
        partitionValues,
        statistics,
        deleted);
  }

  /** Rows that are content. */
  public long contentRows() {
    return recordCount - (deletes == null ? 0 : deletes.count());
  }

  /**
   * A positional delete file (ducklake-format 8.1) that is registered together with its data file.
   *
   * @param path full path of the object
   * @param count positions in it
   * @param fileSizeBytes exact size
   * @param footerSize footer length; null when unknown
   * @param supersedes path of a live delete file of the same data file whose positions are all in
   *     this one; null when there is none. A data file that stays live with any other delete file
   *     is refused
   */
  public record Deletes(
      String path,
      long count,
      long fileSizeBytes,
      @Nullable Long footerSize,
      @Nullable String supersedes) {}

  /**
   * The value of one partition key in one file.
   *
   * @param key the key
   * @param value text as of ducklake-format 10.2; null for SQL NULL
   */
  public record PartitionValue(PartitionKey key, @Nullable String value) {}
}
