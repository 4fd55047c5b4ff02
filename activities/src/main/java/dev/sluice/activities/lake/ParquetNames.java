package dev.sluice.activities.lake;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The names of a Parquet file's columns, as they are spelled. Where two are the same without regard
 * to case, DuckDB gives one of them another name, which might be that of a column.
 */
final class ParquetNames {

  private ParquetNames() {}

  private record Element(String name, int children) {}

  /** Reads the footer of the file, given as an SQL literal. */
  static List<String> read(WriteEngine engine, String literal) throws SQLException {
    List<Element> schema =
        engine.query(
            "SELECT name, coalesce(num_children, 0) FROM parquet_schema(" + literal + ")",
            row -> new Element(row.getString(1), row.getInt(2)));
    List<String> names = new ArrayList<>();
    // depth first below the root
    for (int at = 1; at < schema.size(); at = end(schema, at)) {
      names.add(schema.get(at).name());
    }
    return names;
  }

  /** Where the next element begins that does not belong to this one. */
  private static int end(List<Element> schema, int at) {
    int next = at + 1;
    for (int child = 0; child < schema.get(at).children(); child++) {
      next = end(schema, next);
    }
    return next;
  }
}
