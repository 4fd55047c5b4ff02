package dev.sluice.catalog.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A statement that takes any number of rows, so that the rows of many changes, and of many
 * requests, become one statement. Equal statements are merged.
 *
 * @param head text before the rows
 * @param row one row, with {@code ?} for each value
 * @param tail text after the rows
 */
record RowStatement(String head, String row, String tail) {

  /** Inserts rows of the named columns, since a lake may have got more of them. */
  static RowStatement insert(String schema, String table, List<String> columns) {
    return insert(
        schema,
        table,
        columns,
        "(%s)".formatted(String.join(", ", Collections.nCopies(columns.size(), "?"))));
  }

  /** Inserts rows of which some values are computed by the database. */
  static RowStatement insert(String schema, String table, List<String> columns, String row) {
    String head =
        "INSERT INTO %s.%s (%s) VALUES "
            .formatted(
                Names.quoted(schema),
                Names.quoted(table),
                columns.stream().map(Names::quoted).collect(Collectors.joining(", ")));
    return new RowStatement(head, row, "");
  }

  void addTo(RoundTrip trip, List<List<@Nullable Object>> rows) {
    List<@Nullable Object> values = new ArrayList<>();
    rows.forEach(values::addAll);
    trip.change(head + String.join(", ", Collections.nCopies(rows.size(), row)) + tail, values);
  }
}
