package dev.sluice.activities.query;

import dev.sluice.catalog.FileMapping;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A Parquet file of a {@link FileTable}, with everything that a reader must apply to it.
 *
 * @param path full path, as the table's {@link DataFiles} know it
 * @param sizeBytes exact size of the object
 * @param rows rows in the file, deleted ones included
 * @param mapping how the table's columns are found in the file; a column that it does not name
 *     reads as its initial default, else NULL
 * @param values columns that have one value in all rows of the file, by the column's exact name:
 *     its text as DuckDB casts it to the column's type, empty for NULL. They win over the file and
 *     over its path, and need a mapping by name
 * @param deleteFiles positional delete files that apply to it
 * @param deletedRows further deleted rows; they may repeat those of the delete files
 */
public record TableFile(
    String path,
    long sizeBytes,
    long rows,
    FileMapping mapping,
    Map<String, Optional<String>> values,
    List<DeleteFile> deleteFiles,
    DeletedRows deletedRows) {

  /** Copies the collections. */
  public TableFile {
    values = Map.copyOf(new LinkedHashMap<>(values));
    deleteFiles = List.copyOf(deleteFiles);
    if (!values.isEmpty() && mapping instanceof FileMapping.ByFieldId) {
      throw new IllegalArgumentException(
          path + ": values beside the file need a mapping by name, got one by field id");
    }
  }

  /** A file of which every row counts and whose values are all in it or in its path. */
  public TableFile(String path, long sizeBytes, long rows, FileMapping mapping) {
    this(path, sizeBytes, rows, mapping, Map.of(), List.of(), DeletedRows.NONE);
  }

  /** Whether every row of the file counts. */
  public boolean isWhole() {
    return deleteFiles.isEmpty() && deletedRows.isEmpty();
  }

  /**
   * A positional delete file in Parquet, as DuckLake has them: column {@code pos}.
   *
   * @param path full path
   * @param positions positions in it
   * @param sizeBytes exact size of the object
   */
  public record DeleteFile(String path, long positions, long sizeBytes) {}

  /**
   * Positions of deleted rows, counted from 0; asked for when the file is read, maybe repeatedly.
   */
  public interface DeletedRows {

    /** No row is deleted. */
    DeletedRows NONE =
        new DeletedRows() {
          @Override
          public boolean isEmpty() {
            return true;
          }

          @Override
          public LongStream positions() {
            return LongStream.empty();
          }
        };

    /** Whether there is none. */
    boolean isEmpty();

    /** The positions, in any order. */
    LongStream positions();
  }
}
