package dev.sluice.activities.lake;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where rows come from. Text (values, CSV, JSON) is read as what the table's column is, so that
 * nobody has to guess types.
 */
public sealed interface RowSource {

  /**
   * Rows of texts in DuckDB's spelling.
   *
   * @param columns the columns that are given
   * @param rows one text per column, null for NULL
   */
  record Values(List<String> columns, List<List<@Nullable String>> rows) implements RowSource {
    /** Copies the lists. */
    public Values {
      columns = List.copyOf(columns);
      List<List<@Nullable String>> copies = new ArrayList<>();
      rows.forEach(row -> copies.add(Collections.unmodifiableList(new ArrayList<>(row))));
      rows = Collections.unmodifiableList(copies);
    }
  }

  /**
   * A CSV file with a header, in UTF-8, separated by commas. A field that is empty is NULL, one
   * that is empty in quotes is an empty text.
   */
  record Csv(Path file) implements RowSource {}

  /** A JSON file: objects one after the other, or one array of them. */
  record Json(Path file) implements RowSource {}

  /** A Parquet file. */
  record Parquet(Path file) implements RowSource {}

  /**
   * The rows of one SELECT, run by an embedded DuckDB of the write's own. It may name tables and
   * views of the lake ({@code SCHEMA.TABLE}, or {@code TABLE} in schema {@code main}), which are
   * read at the snapshot that the write is planned on, and whatever DuckDB itself can read. Columns
   * are found by their names in the result.
   */
  record Select(String sql) implements RowSource {}
}
