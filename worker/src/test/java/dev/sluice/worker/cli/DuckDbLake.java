package dev.sluice.worker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A lake in a local folder that stock DuckDB writes and that commands read. */
final class DuckDbLake implements AutoCloseable {

  private final PostgresDatabase database;
  private final DuckLakeSession duckDb;
  private final Path configuration;

  private DuckDbLake(PostgresDatabase database, DuckLakeSession duckDb, Path configuration) {
    this.database = database;
    this.duckDb = duckDb;
    this.configuration = configuration;
  }

  static DuckDbLake create(Path folder) throws SQLException, IOException {
    DuckDbReferee.assumeAvailable();
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    DuckLakeSession duckDb = DuckLakeSession.open();
    duckDb.attach(
        DuckLakeAttachment.of(database, folder.resolve("lake") + "/").withDefaultInlining());
    Path configuration =
        Files.writeString(
            folder.resolve("sluice.yaml"),
            """
            mode: development
            lakes:
              main:
                database: {host: %s, port: %d, name: %s, user: %s, password: "%s"}
                storage: {data-path: "file://%s/"}
            # nothing listens there: these commands work without it
            temporal: {address: "127.0.0.1:1"}
            """
                .formatted(
                    database.host(),
                    database.port(),
                    database.name(),
                    database.user(),
                    database.password(),
                    folder.resolve("lake")));
    return new DuckDbLake(database, duckDb, configuration);
  }

  DuckLakeSession duckDb() {
    return duckDb;
  }

  /** Runs statements in DuckDB, each a transaction of its own. */
  void write(String... statements) throws SQLException {
    for (String statement : statements) {
      duckDb.execute(statement);
    }
  }

  /** Changes catalog rows directly. */
  void updateCatalog(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Runs a command of ours. */
  CliRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--config");
    all.add(configuration.toString());
    return CliRun.of(all.toArray(String[]::new));
  }

  /** What a command printed that did not fail. */
  String text(String... arguments) {
    CliRun run = run(arguments);
    if (run.exitCode() != 0) {
      throw new AssertionError(
          String.join(" ", arguments) + " ended with " + run.exitCode() + ": " + run.err());
    }
    return run.out();
  }

  /** The document that a command printed that did not fail. */
  JsonNode json(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    try {
      return new ObjectMapper().readTree(text(all.toArray(String[]::new)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws SQLException {
    duckDb.close();
  }
}
