package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeSession;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers are killed with SIGKILL at random moments while they register generations; the stack and
 * every worker are processes of their own. {@code local-dev/kill-worker.sh} runs it with more kills
 * and with sources of its own.
 */
class KilledWorkerTest {

  private static final int KILLS = Integer.getInteger("sluice.kills", 2);
  private static final long SEED = Long.getLong("sluice.seed", 4L);
  private static final String SOURCE = System.getProperty("sluice.source", "");

  /** A worker that has just begun needs some two seconds for a small generation. */
  private static final int LATEST_MILLIS = 2_500;

  /** Copying and publishing a small generation takes about as long. */
  private static final int LATEST_IN_WORK_MILLIS = 800;

  /** How often it is looked for an attempt; a look takes about as long itself. */
  private static final int LOOK_MILLIS = 50;

  private static final int MOST_LOOKS = 100;

  private final Random random = new Random(SEED);
  private final Map<String, String> triggered = new LinkedHashMap<>();
  private @Nullable ProcessStack stack;

  @Test
  @DisplayName(
      "WFL-02: kill -9 of the worker loses nothing, does nothing twice, leaves nothing running")
  void wfl02_killedWorkersLeaveTheNewestGenerationLive(@TempDir Path kept) throws Exception {
    DuckDbReferee.assumeAvailable();
    say("seed " + SEED + ", kills " + KILLS);
    try (ProcessStack started = ProcessStack.start(kept, KILLS, SOURCE)) {
      stack = started;
      List<String> sources = started.sources();
      for (int kill = 1; kill <= KILLS; kill++) {
        try (ChildProcess worker = started.worker()) {
          String source = sources.get(kill % sources.size());
          trigger(source);
          // at any moment, and every other time at one in which there is surely work going on
          boolean inWork = kill % 2 == 0;
          if (inWork) {
            awaitAttempt(worker, triggered.getOrDefault(source, ""));
          }
          int millis = random.nextInt(inWork ? LATEST_IN_WORK_MILLIS : LATEST_MILLIS);
          worker.leaveRunning(millis);
          worker.kill();
          say(
              "kill %d, %d ms after %s; %s"
                  .formatted(
                      kill, millis, inWork ? "its attempt was seen" : "the trigger", latest()));
        }
      }
      try (ChildProcess last = started.worker()) {
        for (String source : triggered.keySet()) {
          awaitNewest(source);
        }
        last.leaveRunning(1);
      }
      assertNothingRuns();
      assertEverySourceIsRight(started);
    }
  }

  private void trigger(String source) {
    String folder = stack().nextFolder(source);
    triggered.put(source, folder);
    CliRun run = stack().register(source, folder);
    assertThat(run.exitCode()).as(run.err()).isZero();
    say("triggered " + folder);
  }

  /** Until the generation has an attempt; not for ever, since it may wait behind another one. */
  private void awaitAttempt(ChildProcess worker, String folder)
      throws IOException, InterruptedException {
    for (int look = 0; look < MOST_LOOKS; look++) {
      for (JsonNode job : json("jobs", "--limit", "50").path("jobs")) {
        if (folder.endsWith("__query_" + job.path("generation").asText())) {
          return;
        }
      }
      worker.leaveRunning(LOOK_MILLIS);
    }
  }

  /**
   * Asks for the newest once more, as the source's next import would, and waits: it is sent to the
   * run that the kill left behind, or finds the generation live.
   */
  private void awaitNewest(String source) {
    String folder = triggered.getOrDefault(source, "");
    CliRun run = stack().register(source, folder, "--wait");
    say(source + ": " + run.out().strip());
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
  }

  private String latest() throws IOException {
    JsonNode jobs = json("jobs", "--limit", "1").path("jobs");
    return jobs.isEmpty()
        ? "no attempt was opened"
        : "the newest attempt is that of generation %s, %s"
            .formatted(
                jobs.get(0).path("generation").asText(), jobs.get(0).path("status").asText());
  }

  private void assertNothingRuns() throws IOException {
    List<String> statuses = new ArrayList<>();
    Map<String, Integer> completed = new LinkedHashMap<>();
    for (JsonNode job : json("jobs", "--limit", "1000").path("jobs")) {
      statuses.add(job.path("status").asText());
      if (job.path("status").asText().equals("completed")) {
        completed.merge(
            job.path("source").asText() + " " + job.path("attempt").asText(), 1, Integer::sum);
      }
    }
    say("attempts: " + statuses);
    assertThat(statuses).isNotEmpty().doesNotContain("running");
    assertThat(completed.values()).as("outcomes of each attempt").containsOnly(1);
  }

  private void assertEverySourceIsRight(ProcessStack started) throws IOException, SQLException {
    try (DuckLakeSession duckDb = started.duckDb()) {
      for (JsonNode job : json("jobs", "--limit", "1000").path("jobs")) {
        if (job.path("status").asText().equals("completed")) {
          assertTableIsRight(duckDb, job.path("schema").asText(), job.path("table").asText());
        }
      }
    }
  }

  private void assertTableIsRight(DuckLakeSession duckDb, String schema, String table)
      throws IOException, SQLException {
    String name = schema + "." + table;
    List<JsonNode> published = new ArrayList<>();
    json("generations", name).path("generations").forEach(published::add);
    JsonNode live = published.getFirst();
    String generation = live.path("generation").asText();
    String prepared =
        triggered.values().stream()
            .filter(folder -> folder.endsWith("__query_" + generation))
            .filter(folder -> table.endsWith(folder.substring(0, folder.indexOf("__query_"))))
            .findFirst()
            .orElseThrow(() -> new AssertionError(name + ": live is " + generation));
    assertThat(published.stream().map(each -> each.path("generation").asText()))
        .doesNotHaveDuplicates();
    String rows =
        duckDb.valueText(
            "SELECT count(*) FROM read_parquet('s3://upstream/**/%s/**/*.parquet')"
                .formatted(prepared));
    assertThat(live.path("rows").asText()).isEqualTo(rows);
    assertThat(stack().run("scan", name, "--count").out().strip()).isEqualTo(rows);
    assertThat(duckDb.valueText("SELECT count(*) FROM lake." + name)).isEqualTo(rows);
    assertThat(
            duckDb.queryText(
                "SELECT data_file FROM ducklake_list_files('lake', '%s', schema => '%s')"
                    .formatted(table, schema)))
        .hasSize(live.path("files").asInt())
        .doesNotHaveDuplicates();
    say(name + ": generation " + generation + ", " + rows + " rows, seen alike by DuckDB and scan");
  }

  private JsonNode json(String... arguments) throws IOException {
    return stack().json(arguments);
  }

  private ProcessStack stack() {
    return Objects.requireNonNull(stack, "stack");
  }

  /** For whoever runs the script: what happened. */
  private static void say(String line) {
    System.out.println("kill-worker: " + line);
  }
}
