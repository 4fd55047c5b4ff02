package dev.sluice.catalog.commit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.ResultQuery;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Statements that go to the server together. PostgreSQL runs them one after the other, each with
 * its own view of the database, and answers all at once; what a commit costs beside its disk flush
 * is mostly the waiting for answers. Values are bound. Used once; not thread-safe.
 */
final class RoundTrip {

  /**
   * Values sent before answers are read. Whoever sends without end while the server has answers to
   * deliver waits for a server that waits for him.
   */
  static final int MOST_VALUES = 4000;

  private final Connection connection;
  private final DSLContext dsl;
  private final List<Part> parts = new ArrayList<>();

  private record Part(String sql, List<@Nullable Object> values, Answer answer, int weight) {}

  /** What to do with the server's answer to one statement. */
  private sealed interface Answer {
    record Rows(List<Field<?>> fields, Consumer<Result<Record>> reader) implements Answer {}

    record Count(IntConsumer reader) implements Answer {}
  }

  RoundTrip(Connection connection, DSLContext dsl) {
    this.connection = connection;
    this.dsl = dsl;
  }

  /** Adds a query; the reader gets its rows, in the query's own types, when they have come. */
  void read(ResultQuery<?> query, Consumer<Result<Record>> reader) {
    add(query, new Answer.Rows(List.of(query.fields()), reader));
  }

  /** Adds a query in SQL text with {@code ?} for each value. */
  void read(
      String sql,
      List<@Nullable Object> values,
      List<Field<?>> fields,
      Consumer<Result<Record>> reader) {
    parts.add(new Part(sql, values, new Answer.Rows(fields, reader), values.size()));
  }

  /** Adds a statement; the reader gets how many rows it changed. */
  void change(Query query, IntConsumer reader) {
    add(query, new Answer.Count(reader));
  }

  /** Adds a statement that is not asked how many rows it changed. */
  void change(Query query) {
    change(query, rows -> {});
  }

  /** Adds a statement in SQL text with {@code ?} for each value. */
  void change(String sql, List<@Nullable Object> values) {
    parts.add(new Part(sql, values, new Answer.Count(rows -> {}), values.size()));
  }

  private void add(Query query, Answer answer) {
    List<@Nullable Object> values = query.getBindValues();
    int weight = 0;
    for (Object value : values) {
      weight += value instanceof Object[] array ? array.length : 1;
    }
    parts.add(new Part(query.getSQL(), values, answer, weight));
  }

  /** Sends what was added and hands the answers out, in the order of adding. */
  void run() {
    int from = 0;
    while (from < parts.size()) {
      int to = from;
      int weight = 0;
      while (to < parts.size() && (to == from || weight + parts.get(to).weight() <= MOST_VALUES)) {
        weight += parts.get(to).weight();
        to++;
      }
      send(parts.subList(from, to));
      from = to;
    }
  }

  private void send(List<Part> together) {
    String sql = String.join(";\n", together.stream().map(Part::sql).toList());
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int index = 1;
      for (Part part : together) {
        for (Object value : part.values()) {
          statement.setObject(index, value);
          index++;
        }
      }
      statement.execute();
      for (Part part : together) {
        hand(statement, part);
        statement.getMoreResults();
      }
    } catch (SQLException e) {
      throw new DataAccessException("the catalog's statements failed: " + sql, e);
    }
  }

  private void hand(PreparedStatement statement, Part part) throws SQLException {
    switch (part.answer()) {
      case Answer.Rows(List<Field<?>> fields, Consumer<Result<Record>> reader) -> {
        try (ResultSet rows = statement.getResultSet()) {
          reader.accept(dsl.fetch(rows, fields.toArray(new Field<?>[0])));
        }
      }
      case Answer.Count(IntConsumer reader) -> reader.accept(statement.getUpdateCount());
    }
  }
}
