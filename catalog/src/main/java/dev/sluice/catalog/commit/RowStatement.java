package dev.sluice.catalog.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jspecify.annotations.Nullable;

/**
 * A statement that takes any number of rows, so that the rows of many changes, and of many
 * requests, become one statement. Equal statements are merged.
 *
 * @param head text before the rows
 * @param row one row, with {@code ?} for each value
 * @param tail text after the rows
 */
public record RowStatement(String head, String row, String tail) {

  /** Inserts rows of the named columns, since a lake may have got more of them. */
  public static RowStatement insert(String schema, String table, List<String> columns) {
    return insert(
        schema,
        table,
        columns,
        "(%s)".formatted(String.join(", ", Collections.nCopies(columns.size(), "?"))));
  }

  /**
   * Inserts rows of which some values are computed by the database.
   *
   * @param row one row, with {@code ?} for each value that is given
   */
  public static RowStatement insert(String schema, String table, List<String> columns, String row) {
    String head =
        "INSERT INTO %s.%s (%s) VALUES "
            .formatted(
                Names.quoted(schema),
                Names.quoted(table),
                columns.stream().map(Names::quoted).collect(Collectors.joining(", ")));
    return new RowStatement(head, row, "");
  }

  /** Adds the statement to a round trip, more than once where the rows are too many for one. */
  void addTo(RoundTrip trip, List<? extends List<? extends @Nullable Object>> rows) {
    parts(rows).forEach(part -> trip.change(sql(part.size()), values(part)));
  }

  /** As {@link #addTo}; the reader gets the answers to each. */
  void ask(
      RoundTrip trip,
      List<Field<?>> fields,
      List<? extends List<? extends @Nullable Object>> rows,
      Consumer<Result<Record>> reader) {
    parts(rows).forEach(part -> trip.read(sql(part.size()), values(part), fields, reader));
  }

  /** The protocol counts a statement's values in two bytes. */
  private static <T extends List<?>> List<List<T>> parts(List<T> rows) {
    int most = Math.max(1, RoundTrip.MOST_VALUES / Math.max(1, rows.get(0).size()));
    return IntStream.iterate(0, from -> from < rows.size(), from -> from + most)
        .mapToObj(from -> rows.subList(from, Math.min(rows.size(), from + most)))
        .toList();
  }

  /** The statement for that many rows, at least one. */
  public String sql(int rows) {
    return head + String.join(", ", Collections.nCopies(rows, row)) + tail;
  }

  private static List<@Nullable Object> values(
      List<? extends List<? extends @Nullable Object>> rows) {
    List<@Nullable Object> values = new ArrayList<>();
    rows.forEach(values::addAll);
    return values;
  }
}
