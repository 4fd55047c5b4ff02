package dev.sluice.activities.verify;

import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.FileTable;
import dev.sluice.activities.query.TableFile;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.LeafStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One side of a comparison: files, how the table's columns are read from them, and what is known of
 * them without reading. Both sides have the same columns, so that their values can be compared.
 *
 * @param name how errors call it
 * @param columns the columns as they will be published
 * @param files files with rows
 * @param access where they lie
 */
public record Side(String name, List<Column> columns, List<Part> files, DataFiles access) {

  /** Copies the lists. */
  public Side {
    columns = List.copyOf(columns);
    files = List.copyOf(files);
  }

  /**
   * One file.
   *
   * @param file how it is read
   * @param statistics what its footer says of leaf columns, by the names of the table's columns; a
   *     missing leaf of a column that the file has is unknown
   * @param partition values of partition columns that are the same in all of its rows, by the
   *     column's name, as text of the column's type; empty for NULL
   */
  public record Part(
      TableFile file, List<LeafStatistics> statistics, Map<String, Optional<String>> partition) {

    /** Copies the collections. */
    public Part {
      statistics = List.copyOf(statistics);
      partition = Map.copyOf(partition);
    }
  }

  /** The side as DuckDB reads it. */
  FileTable table() {
    return new FileTable(name, columns, files.stream().map(Part::file).toList(), access);
  }
}
