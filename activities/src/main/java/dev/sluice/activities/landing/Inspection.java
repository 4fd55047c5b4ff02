package dev.sluice.activities.landing;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.PartitionKey;
import java.util.List;

/**
 * What the footers of a landed generation say, in the form that a publication takes.
 *
 * @param columns the columns of the content, partition columns included
 * @param partitioning partition keys found in the paths, in the order of first appearance
 * @param files one per landed file that has rows
 * @param emptyFiles valid files without rows; they count for the generation but are not registered
 */
public record Inspection(
    List<ColumnSpec> columns,
    List<PartitionKey> partitioning,
    List<NewDataFile> files,
    long emptyFiles) {

  /** Copies the lists. */
  public Inspection {
    columns = List.copyOf(columns);
    partitioning = List.copyOf(partitioning);
    files = List.copyOf(files);
  }

  /** Rows of all files that are content. */
  public long rows() {
    return files.stream().mapToLong(NewDataFile::contentRows).sum();
  }

  /** Size of the files with rows, in bytes. */
  public long bytes() {
    return files.stream().mapToLong(NewDataFile::fileSizeBytes).sum();
  }
}
