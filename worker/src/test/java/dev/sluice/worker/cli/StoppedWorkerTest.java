package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeSession;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker process is stopped with SIGSTOP inside its publishing transaction: it holds the lake's
 * lock and the next snapshot's row, and says nothing. {@code local-dev/stop-worker.sh} runs it with
 * a second worker, that publishes a newer generation before the first one wakes up.
 */
class StoppedWorkerTest {

  private static final boolean OVERTAKEN = Boolean.getBoolean("sluice.overtaken");

  /** What the woken worker may still try is over long before. */
  private static final int LATE_MILLIS = 20_000;

  @Test
  @DisplayName("WFL-02: a worker stopped in its publishing transaction holds nobody up for long")
  void wfl02_aWorkerStoppedInItsPublishingTransaction(@TempDir Path kept) throws Exception {
    DuckDbReferee.assumeAvailable();
    try (ProcessStack stack = ProcessStack.start(kept, OVERTAKEN ? 2 : 1, "");
        ChildProcess worker = stack.worker();
        DuckLakeSession duckDb = stack.duckDb()) {
      String source = stack.sources().getFirst();
      List<String> folders = new ArrayList<>(List.of(stack.nextFolder(source)));
      bringIn(stack, source, folders.getFirst());
      folders.add(stack.nextFolder(source));

      stopWhilePublishing(stack, worker, source, folders.getLast());
      say("stopped in the transaction that publishes " + folders.getLast());
      lockAsACommitDoes(stack);
      say("a commit of ours would go on: the server has ended the stopped one's transaction");
      duckDb.execute("CREATE TABLE lake.beside AS SELECT 42 AS answer");
      say("DuckDB has committed to the lake");
      assertLive(stack, folders.subList(0, 1));

      if (OVERTAKEN) {
        try (ChildProcess second = stack.worker()) {
          folders.add(stack.nextFolder(source));
          bringIn(stack, source, folders.getLast());
          say("a second worker has published " + folders.getLast());
          worker.goOn();
          worker.leaveRunning(LATE_MILLIS);
          second.leaveRunning(1);
        }
      } else {
        worker.goOn();
        bringIn(stack, source, folders.getLast());
      }

      assertLive(stack, folders);
      assertThat(duckDb.valueText("SELECT answer FROM lake.beside")).isEqualTo("42");
      say("awake: live is " + folders.getLast() + ", nothing went backwards");
    }
  }

  /** Triggers it, or sends it once more to the run that goes on, and waits. */
  private static void bringIn(ProcessStack stack, String source, String folder) {
    CliRun run = stack.register(source, folder, "--wait");
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
  }

  private static void stopWhilePublishing(
      ProcessStack stack, ChildProcess worker, String source, String folder) throws Exception {
    try (Connection holder = DriverManager.getConnection(stack.lakeJdbcUrl());
        Connection looker = DriverManager.getConnection(stack.lakeJdbcUrl())) {
      holder.setAutoCommit(false);
      // a publication is recorded behind most of what it writes
      execute(holder, "LOCK TABLE sluice.publication IN SHARE MODE");
      assertThat(stack.register(source, folder).exitCode()).isZero();
      int publishing =
          await(
              looker,
              "SELECT pid FROM pg_locks WHERE NOT granted"
                  + " AND relation = 'sluice.publication'::regclass",
              worker);
      worker.halt();
      holder.rollback();
      await(
          looker,
          "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' AND pid = "
              + publishing,
          null);
    }
  }

  /** Waits until there is such a session; gives its process id. */
  private static int await(Connection looker, String sql, @Nullable ChildProcess worker)
      throws SQLException, InterruptedException {
    while (true) {
      try (Statement statement = looker.createStatement();
          ResultSet found = statement.executeQuery(sql)) {
        if (found.next()) {
          return found.getInt(1);
        }
      }
      if (worker == null) {
        Thread.onSpinWait();
      } else {
        worker.leaveRunning(10);
      }
    }
  }

  private static void lockAsACommitDoes(ProcessStack stack) throws SQLException {
    try (Connection other = DriverManager.getConnection(stack.lakeJdbcUrl())) {
      other.setAutoCommit(false);
      execute(other, "SET LOCAL lock_timeout = '30s'");
      execute(other, "SELECT pg_advisory_xact_lock(hashtextextended('sluice:public', 0))");
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The folders' generations were published once each, in this order, and the last one is live. */
  private static void assertLive(ProcessStack stack, List<String> folders) throws IOException {
    JsonNode job = stack.json("jobs", "--limit", "1").path("jobs").get(0);
    String table = job.path("schema").asText() + "." + job.path("table").asText();
    List<String> published = new ArrayList<>();
    for (JsonNode each : stack.json("generations", table).path("generations")) {
      published.addFirst(each.path("generation").asText());
    }
    assertThat(published)
        .isEqualTo(
            folders.stream()
                .map(folder -> folder.substring(folder.indexOf("__query_") + "__query_".length()))
                .toList());
    boolean whileStopped = folders.size() == 1;
    List<String> statuses = new ArrayList<>();
    for (JsonNode each : stack.json("jobs", "--limit", "50").path("jobs")) {
      statuses.add(each.path("status").asText());
    }
    assertThat(statuses.contains("running")).isEqualTo(whileStopped);
  }

  /** For whoever runs the script: what happened. */
  private static void say(String line) {
    System.out.println("stop-worker: " + line);
  }
}
