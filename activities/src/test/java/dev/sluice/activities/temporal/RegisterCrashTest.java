package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.temporal.CrashPlan.Fate;
import dev.sluice.activities.temporal.CrashPlan.Passed;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.WorkflowIds;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A worker dies, or is taken for dead, between any two steps of a run; then contracts 8.2 must hold
 * as if nothing had happened. The steps are those that a healthy run was seen to take, so a step
 * that is added gets its gaps without anybody thinking of it.
 *
 * <p>All runs are of one source: each publishes the next generation, one of whose files is the same
 * in all of them.
 */
class RegisterCrashTest {

  private static final List<String> STAGES =
      List.of(
          "record-trigger",
          "gate",
          "open-attempt",
          "prepare",
          "land",
          "inspect",
          "verify",
          "publish",
          "close-attempt");

  private static final CrashPlan PLAN = new CrashPlan(() -> watch().look());
  private static SteppedPath stepped;
  private static RegisterFixture path;
  private static HikariDataSource observerPool;
  private static List<Passed> steps = List.of();
  private static volatile GenerationWatch watch;
  private static Source source;
  private static long epoch = 100;
  private static byte[] unchanged;
  private boolean passed;

  private static GenerationWatch watch() {
    return watch;
  }

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    stepped = SteppedPath.start(scratch, PLAN);
    path = stepped.path;
    observerPool = path.lakeDatabase.dataSource(1);
    unchanged = path.parquet("SELECT 0 AS g, range AS i FROM range(2)");
    source = path.newSource("crash");
    watch = watchOf(source);
    makeFirstGeneration();
    steps = recorded();
  }

  @AfterAll
  static void stop() throws SQLException {
    stepped.close();
    observerPool.close();
  }

  private static GenerationWatch watchOf(Source watched) {
    return new GenerationWatch(
        observerPool,
        path.catalog.info().key(),
        path.lakeStore,
        watched.schema(),
        watched.published());
  }

  private static void makeFirstGeneration() throws SQLException {
    assertThat(path.run(nextGeneration()).reason()).isNull();
    watch.look();
  }

  /** Partition values as no path likes them, and a file that never changes. */
  private static RegisterTrigger nextGeneration() throws SQLException {
    epoch++;
    path.write(
        source,
        epoch,
        "p=a=b/f.parquet",
        "SELECT %d AS g, range AS i FROM range(5)".formatted(epoch));
    path.write(
        source,
        epoch,
        "p=ü %25x/f.parquet",
        "SELECT %d AS g, range AS i FROM range(3)".formatted(epoch));
    path.put(source.folder(epoch), "p=__HIVE_DEFAULT_PARTITION__/unchanged.parquet", unchanged);
    return source.trigger(epoch);
  }

  private static List<Passed> recorded() throws SQLException {
    RegisterTrigger trigger = nextGeneration();
    PLAN.arm(Fate.LIVES, 0);
    RegisterResult result = path.run(trigger);
    List<Passed> taken = PLAN.disarm();
    assertThat(result.reason()).isNull();
    return taken;
  }

  static Stream<Arguments> gaps() {
    return SteppedPath.gaps(steps);
  }

  static Stream<Arguments> gapsOutsideTransactions() {
    return SteppedPath.gaps(steps).filter(gap -> !steps.get((int) gap.get()[0]).inTransaction());
  }

  @AfterEach
  void begin() throws SQLException {
    PLAN.leaveAlone();
    PLAN.goOn();
    if (!passed) {
      // what this one left behind must not fail the others
      source = path.newSource("crash");
      watch = watchOf(source);
      makeFirstGeneration();
    }
  }

  @Test
  void everyPairOfConsecutiveStepsHasAGap() throws Exception {
    List<String> names = steps.stream().map(Passed::name).toList();

    assertThat(recorded()).as("the steps of another healthy run").isEqualTo(steps);
    assertThat(gaps()).hasSameSizeAs(steps);
    for (String stage : STAGES) {
      assertThat(names).contains(stage + ": begins", stage + ": has done its work");
    }
    assertThat(names)
        .contains(
            "land, lake store: copy an object",
            "publish, lake: take the lock",
            "publish, lake: commit")
        .anyMatch(
            step ->
                step.startsWith("publish, lake")
                    && step.contains("update sluice.fence")
                    && step.contains("insert into sluice.publication"));
    assertThat(names.stream().filter(name -> name.equals("publish, lake: commit"))).hasSize(1);
    passed = true;
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("gaps")
  @DisplayName("WFL-02: a worker dies and another one goes on")
  void wfl02_aWorkerDiesAndAnotherOneGoesOn(int step, String gap) throws Exception {
    RegisterTrigger trigger = nextGeneration();
    PLAN.arm(Fate.DIES, step);

    RegisterResult result = path.run(trigger);
    List<Passed> taken = PLAN.disarm();

    assertThat(taken.subList(0, step + 1)).isEqualTo(steps.subList(0, step + 1));
    assertThat(result.status())
        .as(String.valueOf(result.reason()))
        .isEqualTo(RegisterStatus.COMPLETED);
    assertThat(attempts(trigger)).hasSize(1);
    settled(trigger);
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("gaps")
  @DisplayName(
      "WFL-02: a worker dies, its run is terminated and reaped, and the source triggered again")
  void wfl02_aRunIsTerminatedAndTheSourceTriggeredAgain(int step, String gap) throws Exception {
    RegisterTrigger trigger = nextGeneration();
    PLAN.arm(Fate.DIES_AND_STAYS_AWAY, step);
    path.start(trigger);
    PLAN.awaitReached();
    terminate(trigger);
    watch.look();
    PLAN.goOn();
    PLAN.awaitUnwound();

    path.reap();
    assertThat(path.jobs.running()).isEmpty();
    watch.look();
    RegisterResult again = path.run(trigger);

    assertThat(again.status())
        .as(String.valueOf(again.reason()))
        .isEqualTo(RegisterStatus.COMPLETED);
    settled(trigger);
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("gapsOutsideTransactions")
  @DisplayName("8.2 invariant 3: a worker that was taken for dead wakes up too late")
  void invariant3_aWorkerThatWasTakenForDeadWakesUpTooLate(int step, String gap) throws Exception {
    RegisterTrigger trigger = nextGeneration();
    PLAN.arm(Fate.IS_HELD_UP, step);
    path.start(trigger);
    PLAN.awaitReached();
    terminate(trigger);
    path.reap();
    RegisterResult again = path.run(trigger);
    List<Publication> before = path.publications(source);

    PLAN.goOn();
    PLAN.awaitUnwound();

    assertThat(again.status())
        .as(String.valueOf(again.reason()))
        .isEqualTo(RegisterStatus.COMPLETED);
    assertThat(path.publications(source)).isEqualTo(before);
    settled(trigger);
  }

  private static void terminate(RegisterTrigger trigger) {
    path.client().newUntypedWorkflowStub(WorkflowIds.of(trigger)).terminate("a test");
  }

  private static List<SourceJob> attempts(RegisterTrigger trigger) {
    return path.attempts(source).stream()
        .filter(job -> job.key().attempt().attemptId().equals(trigger.attemptId()))
        .toList();
  }

  /** What contracts 8.2 asks for, once everything has come to rest. */
  private void settled(RegisterTrigger trigger) throws Exception {
    watch.look();
    watch.requireNoComplaint();
    assertThat(watch.seen().getLast()).isEqualTo(trigger.generation().value());
    List<Publication> history = path.publications(source);
    assertThat(history.getFirst().generation()).isEqualTo(trigger.generation().value());
    assertThat(history.stream().map(Publication::generation)).doesNotHaveDuplicates();
    assertThat(path.jobs.running()).isEmpty();
    assertThat(attempts(trigger).stream().filter(job -> job.status() == JobStatus.COMPLETED))
        .singleElement()
        .satisfies(
            job -> {
              assertThat(job.key()).isEqualTo(history.getFirst().attempt());
              assertThat(job.snapshotId()).isEqualTo(history.getFirst().snapshotId());
              assertThat(job.rows()).isEqualTo(10);
            });
    assertThat(attempts(trigger).stream().map(SourceJob::latestError))
        .allSatisfy(
            error -> assertThat(String.valueOf(error)).doesNotContain(RegisterFixture.SECRET));
    assertThat(
            path.duckDb("SELECT p, g, count(*) FROM " + source.sql() + " GROUP BY ALL ORDER BY p"))
        .containsExactlyElementsOf(content(trigger));
    assertThat(path.scan(source)).hasSize(10);
    assertThat(
            path.duckDb(
                "SELECT DISTINCT g FROM %s AT (VERSION => %d) WHERE g > 0"
                    .formatted(source.sql(), history.get(1).snapshotId())))
        .as("the generation before, as of its snapshot")
        .containsExactly(List.of(history.get(1).generation()));
    assertNoObjectHasTwoRows();
    passed = true;
  }

  private static List<List<@Nullable String>> content(RegisterTrigger trigger) {
    String g = trigger.generation().value();
    return List.of(List.of("a=b", g, "5"), List.of("ü %x", g, "3"), Arrays.asList(null, "0", "2"));
  }

  /** An object belongs to one row for ever. */
  private static void assertNoObjectHasTwoRows() {
    List<String> paths =
        path.lakeState.read(
            dsl ->
                dsl.fetchValues("SELECT path FROM ducklake_data_file").stream()
                    .map(String::valueOf)
                    .toList());
    assertThat(paths).doesNotHaveDuplicates();
  }
}
