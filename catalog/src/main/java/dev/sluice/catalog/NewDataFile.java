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
 */
public record NewDataFile(
    String path,
    long recordCount,
    long fileSizeBytes,
    @Nullable Long footerSize,
    FileMapping mapping,
    List<PartitionValue> partitionValues,
    List<LeafStatistics> statistics) {

  /** Copies the lists and checks the counts. */
  public NewDataFile {
    if (recordCount <= 0) {
      throw new IllegalArgumentException(
          "%s: record count must be above 0, got %d".formatted(path, recordCount));
    }
    partitionValues = List.copyOf(partitionValues);
    statistics = List.copyOf(statistics);
  }

  /**
   * The value of one partition key in one file.
   *
   * @param key the key
   * @param value text as of ducklake-format 10.2; null for SQL NULL
   */
  public record PartitionValue(PartitionKey key, @Nullable String value) {}
}
