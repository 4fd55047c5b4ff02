package dev.sluice.catalog.commit;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Rows for one table through PostgreSQL's COPY, the fastest way in: one statement however many
 * rows. Columns are always named, since a lake may have got more of them. Not thread-safe.
 */
final class CopyRows implements AutoCloseable {

  private static final int FLUSH_CHARS = 256 * 1024;

  private final CopyIn copy;
  private final StringBuilder buffer = new StringBuilder();
  private boolean finished;

  CopyRows(Connection connection, String schema, String table, List<String> columns) {
    String sql =
        "COPY %s.%s (%s) FROM STDIN"
            .formatted(
                Names.quoted(schema),
                Names.quoted(table),
                columns.stream().map(Names::quoted).collect(Collectors.joining(", ")));
    try {
      copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
    } catch (SQLException e) {
      throw new DataAccessException("COPY into " + table, e);
    }
  }

  /** Adds a row; values in the order of the columns, null for NULL. */
  void add(@Nullable Object... values) {
    for (int i = 0; i < values.length; i++) {
      if (i > 0) {
        buffer.append('\t');
      }
      append(values[i]);
    }
    buffer.append('\n');
    if (buffer.length() >= FLUSH_CHARS) {
      flush();
    }
  }

  private void append(@Nullable Object value) {
    switch (value) {
      case null -> buffer.append("\\N");
      case String text -> escape(text);
      case Boolean flag -> buffer.append(flag ? 't' : 'f');
      case Object other -> buffer.append(other);
    }
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> buffer.append("\\\\");
        case '\t' -> buffer.append("\\t");
        case '\n' -> buffer.append("\\n");
        case '\r' -> buffer.append("\\r");
        default -> buffer.append(c);
      }
    }
  }

  private void flush() {
    byte[] bytes = buffer.toString().getBytes(StandardCharsets.UTF_8);
    buffer.setLength(0);
    try {
      copy.writeToCopy(bytes, 0, bytes.length);
    } catch (SQLException e) {
      throw new DataAccessException("COPY", e);
    }
  }

  /** Sends the rest and ends the statement. */
  void finish() {
    flush();
    finished = true;
    try {
      copy.endCopy();
    } catch (SQLException e) {
      throw new DataAccessException("COPY", e);
    }
  }

  /** Gives a statement up that was not finished, so that the connection can roll back. */
  @Override
  public void close() {
    if (finished || !copy.isActive()) {
      return;
    }
    try {
      copy.cancelCopy();
    } catch (SQLException e) {
      throw new DataAccessException("COPY could not be given up", e);
    }
  }
}
