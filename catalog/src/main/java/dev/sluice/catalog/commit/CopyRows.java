package dev.sluice.catalog.commit;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Rows for one table through PostgreSQL's COPY, the fastest way in: one statement however many
 * rows, in the binary form, which neither side has to turn into text and back. Knows the three
 * types that DuckLake's tables of files have: {@code bigint}, {@code varchar}, {@code boolean}.
 * Columns are always named, since a lake may have got more of them. Not thread-safe.
 */
final class CopyRows implements AutoCloseable {

  private static final int FLUSH_BYTES = 64 * 1024;

  /** Signature, no flags, no extension. */
  private static final byte[] HEADER = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
  };

  /** Instead of a length, or of the number of columns at the end. */
  private static final int NONE = -1;

  private final CopyIn copy;
  private byte[] buffer = new byte[2 * FLUSH_BYTES];
  private int used;
  private boolean finished;

  CopyRows(Connection connection, String schema, String table, List<String> columns) {
    String sql =
        "COPY %s.%s (%s) FROM STDIN (FORMAT binary)"
            .formatted(
                Names.quoted(schema),
                Names.quoted(table),
                columns.stream().map(Names::quoted).collect(Collectors.joining(", ")));
    try {
      copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
    } catch (SQLException e) {
      throw new DataAccessException("COPY into " + table, e);
    }
    put(HEADER);
  }

  /** Adds a row; values in the order of the columns, null for NULL. */
  void add(@Nullable Object... values) {
    putShort(values.length);
    for (Object value : values) {
      add(value);
    }
    if (used >= FLUSH_BYTES) {
      flush();
    }
  }

  private void add(@Nullable Object value) {
    switch (value) {
      case null -> putInt(NONE);
      case Long number -> putLong(number);
      case Integer number -> putLong(number);
      case String text -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        putInt(bytes.length);
        put(bytes);
      }
      case Boolean flag -> {
        putInt(1);
        put(new byte[] {(byte) (flag ? 1 : 0)});
      }
      case Object other -> throw new IllegalArgumentException("no COPY of " + other.getClass());
    }
  }

  private void putLong(long number) {
    putInt(Long.BYTES);
    putInt((int) (number >>> Integer.SIZE));
    putInt((int) number);
  }

  private void putInt(int number) {
    putShort(number >>> Short.SIZE);
    putShort(number);
  }

  private void putShort(int number) {
    reserve(Short.BYTES);
    buffer[used++] = (byte) (number >>> Byte.SIZE);
    buffer[used++] = (byte) number;
  }

  private void put(byte[] bytes) {
    reserve(bytes.length);
    System.arraycopy(bytes, 0, buffer, used, bytes.length);
    used += bytes.length;
  }

  private void reserve(int more) {
    if (buffer.length - used < more) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, used + more));
    }
  }

  private void flush() {
    try {
      copy.writeToCopy(buffer, 0, used);
    } catch (SQLException e) {
      throw new DataAccessException("COPY", e);
    }
    used = 0;
  }

  /** Sends the rest and ends the statement. */
  void finish() {
    putShort(NONE);
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
