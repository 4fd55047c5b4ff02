package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.Target;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.EmbeddedDatabaseOptions;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two to four runs of one table take turns at random, step by step, against a real catalog: older
 * and newer generations, equal orders, one generation twice; workers die, answers are lost, runs
 * are terminated while their activities go on, and are reaped sooner or later. In production only
 * one run of a source goes on at a time; here all of them do, which is harder.
 *
 * <p>The seed decides everything; a failure prints it with the steps that were taken.
 */
class RegisterInterleavingsTest {

  private static final int INTERLEAVINGS = 500;
  private static final int ON_ONE_LAKE = 50;

  /** A lake's runs take turns, so that one lake keeps half of two processors busy. */
  private static final int LAKES_AT_ONCE = 2;

  private static final int MOST_RUNS = 4;
  private static final int KINDS = 4;
  private static final int FAULTS_PER_RUN = 2;

  @TempDir private static Path folder;
  private static EmbeddedDatabase server;
  private static List<byte[]> parts = List.of();

  @BeforeAll
  static void start() throws SQLException, IOException {
    DuckDbReferee.assumeAvailable();
    // nothing here is about a server that loses power
    server =
        EmbeddedDatabase.start(
            EmbeddedDatabaseOptions.defaults()
                .with("fsync", "off")
                .with("synchronous_commit", "off"));
    List<byte[]> written = new ArrayList<>();
    try (DuckLakeSession duckDb = DuckLakeSession.open()) {
      for (int kind = 0; kind < KINDS; kind++) {
        for (int part = 0; part < 2; part++) {
          Path file = folder.resolve("part-" + kind + "-" + part + ".parquet");
          duckDb.execute(
              "COPY (SELECT %d AS kind, range AS i FROM range(%d)) TO '%s' (FORMAT parquet)"
                  .formatted(kind, rows(kind, part), file));
          written.add(Files.readAllBytes(file));
        }
      }
    }
    parts = List.copyOf(written);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static int rows(int kind, int part) {
    return 2 + kind + 10 * part;
  }

  static IntStream firstSeeds() {
    int together = ON_ONE_LAKE * LAKES_AT_ONCE;
    return IntStream.range(0, INTERLEAVINGS / together).map(number -> 1 + number * together);
  }

  @ParameterizedTest(name = "100 seeds from {0}")
  @MethodSource("firstSeeds")
  @DisplayName(
      "8.2 invariants 1 to 5: whatever the interleaving, one complete generation, never backwards")
  void invariants1To5HoldForAnyInterleaving(int firstSeed) throws Exception {
    try (ExecutorService lakes = Executors.newFixedThreadPool(LAKES_AT_ONCE)) {
      List<Future<Integer>> played =
          IntStream.range(0, LAKES_AT_ONCE)
              .mapToObj(lake -> lakes.submit(() -> playOnOneLake(firstSeed + lake * ON_ONE_LAKE)))
              .toList();
      int seeds = 0;
      for (Future<Integer> lake : played) {
        seeds += lake.get();
      }
      assertThat(seeds).isEqualTo(ON_ONE_LAKE * LAKES_AT_ONCE);
    }
  }

  /** Returns how many seeds were played. */
  private static int playOnOneLake(int firstSeed) throws SQLException {
    int played = 0;
    try (InterleavedRuns lake =
        new InterleavedRuns(server, folder.resolve("lake-" + firstSeed), MOST_RUNS)) {
      for (int seed = firstSeed; seed < firstSeed + ON_ONE_LAKE; seed++) {
        Interleaving interleaving = new Interleaving(lake, seed);
        try {
          interleaving.play();
          interleaving.settle();
        } catch (RuntimeException | AssertionError | SQLException e) {
          throw new AssertionError(
              "seed " + seed + ": " + e.getMessage() + "\n" + interleaving.story(), e);
        }
        played++;
      }
      assertThat(paths(lake)).as("paths of data files").doesNotHaveDuplicates();
    }
    return played;
  }

  private static List<String> paths(InterleavedRuns lake) {
    return lake.bystander.lakeState.read(
        dsl ->
            dsl.fetchValues("SELECT path FROM ducklake_data_file").stream()
                .map(String::valueOf)
                .toList());
  }

  /** One seed. */
  private static final class Interleaving {
    private final InterleavedRuns lake;
    private final int seed;
    private final Random random;
    private final Source source;
    private final Target target;
    private final GenerationWatch watch;
    private final List<ScriptedRun> runs = new ArrayList<>();
    private final List<Baton> batons = new ArrayList<>();
    private final List<Integer> faults = new ArrayList<>();
    private final Set<String> folders = new HashSet<>();
    private final StringBuilder story = new StringBuilder();

    Interleaving(InterleavedRuns lake, int seed) {
      this.lake = lake;
      this.seed = seed;
      this.random = new Random(seed);
      this.source =
          new Source(
              RegisterFixture.TEAM, "01a2b3c4-0000-7000-8000-%012d".formatted(seed), "t_" + seed);
      this.target = new Target(lake.lakeKey(), source.schema(), source.published());
      this.watch =
          new GenerationWatch(
              lake.pool, lake.lakeKey(), lake.lakeStore, source.schema(), source.published());
    }

    String story() {
      return story.toString();
    }

    /** A trigger of one of a few generations, of which some have equal orders. */
    private RegisterTrigger trigger() {
      int kind = random.nextInt(KINDS);
      long order = 100 + 100L * (kind / 2 + random.nextInt(2));
      return prepared(kind, order, source.table() + "__query_" + order + "_0000000" + kind);
    }

    private RegisterTrigger prepared(int kind, long order, String name) {
      if (folders.add(name)) {
        lake.put(name, "a.parquet", parts.get(2 * kind));
        lake.put(name, "b.parquet", parts.get(2 * kind + 1));
      }
      return source.trigger(order, name);
    }

    void play() {
      if (random.nextInt(3) == 0) {
        note("first of all, alone");
        alone(prepared(0, 50, source.table() + "__query_50"));
      }
      int count = 2 + random.nextInt(MOST_RUNS - 1);
      for (int i = 0; i < count; i++) {
        begin(i);
      }
      while (true) {
        List<Integer> going =
            IntStream.range(0, runs.size()).filter(i -> !batons.get(i).isOver()).boxed().toList();
        if (going.isEmpty()) {
          return;
        }
        step(going.get(random.nextInt(going.size())));
        if (random.nextInt(40) == 0) {
          reap();
        }
      }
    }

    private void begin(int number) {
      RegisterTrigger trigger = trigger();
      InterleavedRuns.Worker worker = lake.worker(number);
      ScriptedRun run = worker.run(trigger, "run-" + seed + "-" + number);
      note("run " + number + " is to bring in " + trigger.preparedFolder());
      runs.add(run);
      batons.add(worker.baton);
      faults.add(0);
      worker.baton.begin(run);
    }

    private void step(int number) {
      Baton baton = batons.get(number);
      Baton.Fate fate = Baton.Fate.GOES_ON;
      if (faults.get(number) < FAULTS_PER_RUN && random.nextInt(20) == 0) {
        faults.set(number, faults.get(number) + 1);
        switch (random.nextInt(4)) {
          case 0 -> fate = Baton.Fate.DIES;
          case 1 -> fate = Baton.Fate.LOSES_THE_ANSWER;
          case 2 -> runs.get(number).terminate();
          default -> {
            runs.get(number).terminate();
            fate = Baton.Fate.DIES;
          }
        }
      }
      String terminated = runs.get(number).isTerminated() ? ", terminated" : "";
      note("run " + number + terminated + ": " + baton.next() + ", " + fate);
      if (baton.take(fate)) {
        watch.look();
        watch.requireNoComplaint();
      }
      Throwable broken = runs.get(number).broken();
      if (broken != null) {
        throw new AssertionError("run " + number + " broke: " + broken, broken);
      }
    }

    /** Closes the attempts of runs that were terminated, while their activities may go on. */
    private void reap() {
      for (SourceJob running : lake.bystander.jobs.running()) {
        for (ScriptedRun run : runs) {
          if (run.isTerminated() && run.runId().equals(running.runId())) {
            note("reaped: " + running.key().attempt());
            lake.bystander.closing.closeAttempt(ScriptedRun.reaping(run.trigger(), running));
          }
        }
      }
    }

    private RegisterResult alone(RegisterTrigger trigger) {
      ScriptedRun run = lake.bystander.run(trigger, "run-" + seed + "-alone-" + story.length());
      run.run();
      Throwable broken = run.broken();
      if (broken != null) {
        throw new AssertionError("a run alone broke: " + broken, broken);
      }
      watch.look();
      RegisterResult result = run.result();
      if (result == null) {
        throw new AssertionError("a run alone ends with a result");
      }
      return result;
    }

    /** Everything comes to rest: the dead are reaped, and the newest is asked for again. */
    void settle() throws SQLException {
      reap();
      assertThat(lake.bystander.jobs.running()).as("running attempts").isEmpty();
      RegisterTrigger newest = newest();
      note("at last, alone: " + newest.preparedFolder());
      RegisterResult last = alone(newest);
      watch.requireNoComplaint();
      List<Publication> history =
          lake.bystander.lakeState.read(dsl -> Publications.history(dsl, target));
      Publication live = history.getFirst();
      assertThat(live.order()).isEqualTo(newest.order());
      if (last.status() == RegisterStatus.COMPLETED) {
        assertThat(live.generation()).isEqualTo(newest.generation().value());
      }
      assertThat(lake.bystander.jobs.running()).isEmpty();
      outcomes(history);
      content(live);
    }

    private RegisterTrigger newest() {
      RegisterTrigger newest = runs.getFirst().trigger();
      for (ScriptedRun run : runs) {
        newest = run.trigger().order().isNewerThan(newest.order()) ? run.trigger() : newest;
      }
      return newest;
    }

    /** An attempt is completed if, and only if, it published; nothing was published twice. */
    private void outcomes(List<Publication> history) {
      assertThat(history.stream().map(Publication::attempt)).doesNotHaveDuplicates();
      for (int i = 1; i < history.size(); i++) {
        assertThat(history.get(i).order().isNewerThan(history.get(i - 1).order()))
            .as("order of publications")
            .isFalse();
      }
      List<SourceJob> attempts =
          lake.bystander.jobs.history(new SourceRef(source.team(), source.schemaId()), 50);
      assertThat(
              attempts.stream()
                  .filter(job -> job.status() == JobStatus.COMPLETED)
                  .map(SourceJob::key))
          .containsExactlyInAnyOrderElementsOf(history.stream().map(Publication::attempt).toList());
      List<?> keys =
          lake.bystander.lakeState.read(
              dsl ->
                  dsl.fetchValues(
                      "SELECT snapshot_id FROM sluice.commit_log WHERE idempotency_key LIKE ?",
                      "publish:register:%d:%s:%%".formatted(source.team(), source.schemaId())));
      assertThat(keys).as("keys of commits").hasSameSizeAs(history);
    }

    private void content(Publication live) throws SQLException {
      int kind = Character.digit(live.generation().charAt(live.generation().length() - 1), 10);
      String sql = "SELECT kind, count(*) FROM " + source.sql() + " GROUP BY kind";
      assertThat(lake.duckDb.queryText(sql))
          .containsExactly(
              List.of(Integer.toString(kind), Integer.toString(rows(kind, 0) + rows(kind, 1))));
    }

    private void note(String line) {
      story.append(line).append('\n');
    }
  }
}
