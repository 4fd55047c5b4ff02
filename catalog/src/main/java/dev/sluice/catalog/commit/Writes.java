package dev.sluice.catalog.commit;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.Query;
import org.jspecify.annotations.Nullable;

/**
 * What a request writes, collected while it is planned and sent when all of it is known. Whatever
 * ends or changes rows goes first, in the order given; then rows are added, many by COPY and few by
 * INSERT; then come the statements that read what was added. Not thread-safe.
 */
final class Writes {

  /** A COPY is a round trip of its own, and pays for it from some hundred rows on. */
  private static final int COPY_FROM_ROWS = 200;

  private final List<Query> first = new ArrayList<>();
  private final List<Bulk> bulk = new ArrayList<>();
  private final Map<RowStatement, List<List<@Nullable Object>>> rows = new LinkedHashMap<>();
  private final List<Query> last = new ArrayList<>();

  private record Bulk(String schema, String table, List<String> columns, RowSource source) {}

  /** Takes rows, values in the order of the columns, null for NULL. */
  interface RowSink {
    void add(@Nullable Object... values);
  }

  /** Gives rows, one after the other. */
  interface RowSource {
    void giveTo(RowSink sink);
  }

  /** A statement that does not read what is added. */
  void first(Query query) {
    first.add(query);
  }

  /** A row of a statement; rows of equal statements become one. */
  void row(RowStatement statement, @Nullable Object... values) {
    rows.computeIfAbsent(statement, any -> new ArrayList<>()).add(Arrays.asList(values));
  }

  /** Rows for a table; where they are many, the source is asked for them when they are sent. */
  void rows(String schema, String table, List<String> columns, int count, RowSource source) {
    if (count >= COPY_FROM_ROWS) {
      bulk.add(new Bulk(schema, table, columns, source));
    } else if (count > 0) {
      RowStatement insert = RowStatement.insert(schema, table, columns);
      source.giveTo(values -> row(insert, values));
    }
  }

  /** A statement that may read what is added. */
  void last(Query query) {
    last.add(query);
  }

  /** Adds another request's writes; the two must not touch the same rows. */
  void addAll(Writes other) {
    first.addAll(other.first);
    bulk.addAll(other.bulk);
    other.rows.forEach(
        (statement, more) ->
            rows.computeIfAbsent(statement, any -> new ArrayList<>()).addAll(more));
    last.addAll(other.last);
  }

  /**
   * Sends all but the end of it.
   *
   * @return what is left: one round trip, to which the caller adds what shall see all of it
   */
  RoundTrip send(OpenTransaction transaction) {
    RoundTrip trip = transaction.roundTrip();
    first.forEach(trip::change);
    if (!bulk.isEmpty()) {
      trip.run();
      bulk.forEach(each -> copy(transaction.connection(), each));
      trip = transaction.roundTrip();
    }
    for (Map.Entry<RowStatement, List<List<@Nullable Object>>> each : rows.entrySet()) {
      each.getKey().addTo(trip, each.getValue());
    }
    last.forEach(trip::change);
    return trip;
  }

  private static void copy(Connection connection, Bulk bulk) {
    try (CopyRows copy = new CopyRows(connection, bulk.schema(), bulk.table(), bulk.columns())) {
      bulk.source().giveTo(copy::add);
      copy.finish();
    }
  }
}
