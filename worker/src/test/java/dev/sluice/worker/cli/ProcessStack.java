package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.embedded.DuckLakeSession;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The embedded stack in a process of its own, with prepared folders in its bucket and no worker;
 * workers are processes of their own as well.
 */
final class ProcessStack implements AutoCloseable {

  private static final Pattern WAITING =
      Pattern.compile("start register --source (\\S+) --folder (\\S+) --config (.+)");

  private final ChildProcess stack;
  private final Map<String, Deque<String>> folders = new LinkedHashMap<>();
  private String config = "";

  private ProcessStack(ChildProcess stack) {
    this.stack = stack;
  }

  /**
   * Starts it.
   *
   * @param further newer generations of each source
   * @param source folder of prepared sources; empty for a sample
   */
  static ProcessStack start(Path kept, int further, String source)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of("dev", "--no-worker", "--keep", kept.toString(), "--further", "" + further));
    if (!source.isEmpty()) {
      arguments.addAll(List.of("--source", source));
    }
    ProcessStack started = new ProcessStack(ChildProcess.start(arguments.toArray(String[]::new)));
    try {
      started.stack.awaitLine(line -> line.equals("Ready."));
      started.read();
    } catch (InterruptedException | RuntimeException | AssertionError e) {
      started.close();
      throw e;
    }
    return started;
  }

  private void read() {
    for (String line : stack.lines()) {
      Matcher waiting = WAITING.matcher(line);
      if (waiting.find()) {
        folders.computeIfAbsent(waiting.group(1), name -> new ArrayDeque<>()).add(waiting.group(2));
        config = waiting.group(3);
      }
    }
    assertThat(folders).as(String.join("\n", stack.lines())).isNotEmpty();
  }

  /** Names of the sources in the configuration. */
  List<String> sources() {
    return List.copyOf(folders.keySet());
  }

  /** The source's next generation that was not taken yet, oldest first. */
  String nextFolder(String source) {
    return folders.getOrDefault(source, new ArrayDeque<>()).remove();
  }

  /** Starts a worker and returns once it works. */
  ChildProcess worker() throws IOException, InterruptedException {
    ChildProcess worker = ChildProcess.start("worker", "--config", config);
    worker.awaitLine(line -> line.contains("working on queue"));
    return worker;
  }

  /** Runs a command against the stack, in this process. */
  CliRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--config", config));
    return CliRun.of(all.toArray(String[]::new));
  }

  /** Triggers a folder. */
  CliRun register(String source, String folder, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("start", "register", "--source", source, "--folder", folder));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(String[]::new));
  }

  /** What a command answers in JSON. */
  JsonNode json(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    CliRun run = run(all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  /** A DuckDB of this process with the lake attached as {@code lake}, as the stack tells how to. */
  DuckLakeSession duckDb() throws SQLException {
    DuckLakeSession duckDb = DuckLakeSession.open();
    for (String line : stack.lines()) {
      if (line.startsWith("CREATE OR REPLACE SECRET") || line.startsWith("ATTACH ")) {
        duckDb.execute(line);
      }
    }
    return duckDb;
  }

  /** The lake's database, as the stack tells how to attach it. */
  String lakeJdbcUrl() {
    Matcher lake =
        Pattern.compile("ducklake:postgres:host=(\\S+) port=(\\d+) user=(\\S+) dbname=([^']+)'")
            .matcher(String.join("\n", stack.lines()));
    assertThat(lake.find()).as(String.join("\n", stack.lines())).isTrue();
    return "jdbc:postgresql://%s:%s/%s?user=%s"
        .formatted(lake.group(1), lake.group(2), lake.group(4), lake.group(3));
  }

  @Override
  public void close() {
    stack.close();
  }
}
