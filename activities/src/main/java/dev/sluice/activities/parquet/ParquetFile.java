package dev.sluice.activities.parquet;

import java.util.List;

/**
 * What a Parquet file's footer says. Small enough to be held for tens of thousands of files.
 *
 * @param key the object as the reader was asked for it
 * @param sizeBytes exact size of the object
 * @param footerBytes length of the Thrift footer, without the 8 bytes after it
 * @param rows exact number of rows
 * @param schema the columns
 * @param leaves facts per leaf column, in file order
 */
public record ParquetFile(
    String key,
    long sizeBytes,
    long footerBytes,
    long rows,
    FileSchema schema,
    List<LeafFacts> leaves) {

  /** Copies the facts. */
  public ParquetFile {
    leaves = List.copyOf(leaves);
  }

  /** The facts of a leaf column. */
  public LeafFacts facts(FileField leaf) {
    return leaves.get(leaf.leaf());
  }
}
