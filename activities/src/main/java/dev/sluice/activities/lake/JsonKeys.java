package dev.sluice.activities.lake;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * The keys of the objects in a JSON file, as they are spelled. DuckDB's own look at a file makes
 * names differ that are the same without regard to case, names what has none, and takes a file of
 * other values for one column.
 *
 * @param names the keys, in the order in which objects have them; empty when no object has any
 * @param isEmpty whether there is no object at all
 */
record JsonKeys(List<String> names, boolean isEmpty) {

  JsonKeys {
    names = List.copyOf(names);
  }

  /** Reads the whole file, given as an SQL literal. */
  static JsonKeys read(String doing, WriteEngine engine, Path file, String literal)
      throws SQLException {
    String objects = " FROM read_json_objects(" + literal + ")";
    List<String> others =
        engine.query(
            "SELECT left(json, 200)" + objects + " WHERE json_type(json) <> 'OBJECT' LIMIT 1",
            row -> row.getString(1));
    if (!others.isEmpty()) {
      throw WriteErrors.noObject(doing, file, others.get(0));
    }
    List<String> names =
        engine.query(
            "SELECT name FROM (SELECT unnest(json_keys(json)) AS name,"
                + " generate_subscripts(json_keys(json), 1) AS place"
                + objects
                + ") GROUP BY name ORDER BY min(place), name",
            row -> row.getString(1));
    return new JsonKeys(names, names.isEmpty() && engine.number("SELECT count(*)" + objects) == 0);
  }
}
