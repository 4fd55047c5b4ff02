package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lake of its own and its configuration, for commands that need neither a worker nor Temporal.
 */
record CommandLake(Path folder, PostgresDatabase database) {

  /** Makes one, empty, with its files below the folder. */
  static CommandLake in(Path folder) throws IOException {
    CommandLake lake = new CommandLake(folder, EmbeddedDatabase.shared().newDatabase());
    PostgresDatabase database = lake.database();
    Files.writeString(
        lake.config(),
        """
        mode: development
        lakes:
          main:
            database: {host: %s, port: %d, name: %s, user: %s, password: %s, ssl-mode: disable}
            storage: {data-path: "%s"}
        """
            .formatted(
                database.host(),
                database.port(),
                database.name(),
                database.user(),
                database.password(),
                folder.resolve("lake").toUri()));
    lake.done("migrate");
    return lake;
  }

  Path config() {
    return folder.resolve("sluice.yaml");
  }

  CliRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--config");
    all.add(config().toString());
    return CliRun.of(all.toArray(String[]::new));
  }

  /** What a command prints that must not fail. */
  String done(String... arguments) {
    CliRun run = run(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out().strip();
  }

  /** A command that must be refused, so and for that reason, and print nothing else. */
  void refused(ExitCode code, String reason, String... arguments) {
    CliRun run = run(arguments);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(code.code());
    assertThat(run.err()).contains(reason);
    assertThat(run.out()).isEmpty();
  }

  /** What a DuckDB sees that attaches the lake; {@code NULL} stands for no value. */
  List<List<String>> duckDb(String sql) throws SQLException {
    try (DuckLakeSession session =
        DuckLakeSession.open()
            .attach(DuckLakeAttachment.of(database, folder.resolve("lake").toString()))) {
      return session.queryText(sql).stream()
          .map(row -> row.stream().map(CommandLake::shown).toList())
          .toList();
    }
  }

  private static String shown(@Nullable String text) {
    return text == null ? "NULL" : text;
  }
}
