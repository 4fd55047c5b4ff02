package dev.sluice.worker.bench;

import dev.sluice.embedded.PostgresDatabase;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * The least that publishing has to do: PostgreSQL's COPY of the very rows that were published, into
 * tables like those of a catalog that DuckDB made, in one durable transaction.
 */
final class BareRows {

  private static final List<String> TABLES =
      List.of("ducklake_data_file", "ducklake_file_column_stats");

  private final Map<String, byte[]> rows = new LinkedHashMap<>();
  private long count;

  private BareRows() {}

  /** Takes the rows of a catalog's newest table out of it. */
  static BareRows of(PostgresDatabase database, String metadataSchema) {
    BareRows all = new BareRows();
    try (Connection connection = database.connect()) {
      CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
      for (String table : TABLES) {
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        all.count +=
            copy.copyOut(
                "COPY (SELECT * FROM %1$s.%2$s WHERE table_id = (SELECT max(table_id) FROM %1$s.ducklake_table)) TO STDOUT"
                    .formatted(metadataSchema, table),
                taken);
        all.rows.put(table, taken.toByteArray());
      }
      return all;
    } catch (SQLException e) {
      throw BenchErrors.database("taking rows out of the catalog", e);
    } catch (IOException e) {
      throw BenchErrors.folder("taking rows out of the catalog", e);
    }
  }

  long count() {
    return count;
  }

  /** Writes the rows into empty tables like those of DuckDB's catalog; returns the seconds. */
  double write(PostgresDatabase duckDbs) {
    Stopwatch watch = new Stopwatch();
    try (Connection connection = duckDbs.connect()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("DROP SCHEMA IF EXISTS bare CASCADE; CREATE SCHEMA bare");
        for (String table : TABLES) {
          statement.execute(
              "CREATE TABLE bare.%s (LIKE public.%s INCLUDING ALL)".formatted(table, table));
        }
      }
      connection.setAutoCommit(false);
      CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
      watch.time(() -> copyAll(connection, copy));
      return watch.seconds();
    } catch (SQLException e) {
      throw BenchErrors.database("the bare COPY", e);
    }
  }

  private void copyAll(Connection connection, CopyManager copy) throws SQLException {
    try {
      for (Map.Entry<String, byte[]> table : rows.entrySet()) {
        copy.copyIn(
            "COPY bare.%s FROM STDIN".formatted(table.getKey()),
            new ByteArrayInputStream(table.getValue()));
      }
      connection.commit();
    } catch (IOException e) {
      throw BenchErrors.folder("the bare COPY", e);
    }
  }
}
