package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.temporal.CrashPlan.Fate;
import dev.sluice.activities.temporal.CrashPlan.Passed;
import dev.sluice.workflows.PublishSetResult;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A worker dies between any two steps of a table's very first publication, by itself or as a member
 * of a set beside a table that has one already, and another worker goes on. Of a set the members'
 * steps come in any order, so its gaps are found by their names.
 */
class FirstPublicationCrashTest {

  private static final int ROWS = 4;

  private static final CrashPlan PLAN = new CrashPlan(FirstPublicationCrashTest::look);
  private static final List<GenerationWatch> WATCHES = new ArrayList<>();
  private static SteppedPath stepped;
  private static RegisterFixture path;
  private static HikariDataSource observerPool;
  private static List<Passed> alone = List.of();
  private static List<Passed> together = List.of();
  private static Source old;
  private static long epoch = 100;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    // one activity at a time: the plan knows the activity of a step by that
    stepped = SteppedPath.start(scratch, PLAN, PLAN, 1);
    path = stepped.path;
    observerPool = path.lakeDatabase.dataSource(1);
    old = newTable();
    RegisterTrigger trigger = generation(old);
    PLAN.arm(Fate.LIVES, 0);
    assertThat(path.run(trigger).reason()).isNull();
    alone = PLAN.disarm();
    RegisterTrigger next = generation(old);
    RegisterTrigger first = generation(newTable());
    PLAN.arm(Fate.LIVES, 0);
    assertThat(path.publishSet("recorded", next, first).reason()).isNull();
    together = PLAN.disarm();
  }

  @AfterAll
  static void stop() throws SQLException {
    stepped.close();
    observerPool.close();
  }

  @AfterEach
  void forget() {
    PLAN.leaveAlone();
    WATCHES.clear();
  }

  private static void look() {
    WATCHES.forEach(GenerationWatch::look);
  }

  private static Source newTable() {
    return path.newSource("first");
  }

  private static RegisterTrigger generation(Source source) throws SQLException {
    epoch++;
    path.write(
        source,
        epoch,
        "p=1/a.parquet",
        "SELECT %d AS g, range AS i FROM range(%d)".formatted(epoch, ROWS));
    return source.trigger(epoch);
  }

  private static GenerationWatch watch(Source source) {
    GenerationWatch watch =
        new GenerationWatch(
            observerPool,
            path.catalog.info().key(),
            path.lakeStore,
            source.schema(),
            source.published());
    WATCHES.add(watch);
    return watch;
  }

  /** From the first one on that knows of the table; {@link RegisterCrashTest} has those before. */
  static Stream<Arguments> gapsAlone() {
    int begin = names(alone).indexOf("prepare: begins");
    return SteppedPath.gaps(alone).filter(gap -> (int) gap.get()[0] >= begin);
  }

  /**
   * The name of a step, how often it was taken by then, and both for people. What a member's own
   * activities do inside is the same as alone, so of those only the ends are gaps of the set.
   */
  static Stream<Arguments> gapsTogether() {
    Map<String, Integer> taken = new HashMap<>();
    List<Arguments> gaps = new ArrayList<>();
    for (String step : names(together)) {
      int times = taken.merge(step, 1, Integer::sum);
      boolean common = step.startsWith("publishSet") || step.startsWith("close-attempt");
      boolean end = step.endsWith(": begins") || step.endsWith(": has done its work");
      if (common || (end && times == 1)) {
        gaps.add(Arguments.of(step, times, "after " + step + ", time " + times));
      }
    }
    return gaps.stream();
  }

  private static List<String> names(List<Passed> steps) {
    return steps.stream().map(Passed::name).toList();
  }

  @Test
  void theStepsAreThoseOfAFirstPublicationAndOfASet() {
    assertThat(names(alone))
        .contains("prepare, home: insert into sluice.table_name", "publish, lake: commit")
        .anyMatch(
            step ->
                step.startsWith("publish, lake")
                    && step.contains("ducklake_table")
                    && step.contains("sluice.publication"));
    assertThat(names(together))
        .contains(
            "record-trigger: begins",
            "open-attempt: has done its work",
            "publishSet: begins",
            "publishSet, lake: commit",
            "publishSet: has done its work",
            "close-attempt: has done its work")
        .anyMatch(step -> step.startsWith("publishSet") && step.contains("ducklake_table"));
  }

  @ParameterizedTest(name = "first publication, {1}")
  @MethodSource("gapsAlone")
  void aWorkerDiesInTheFirstPublicationOfATable(int step, String gap) throws Exception {
    Source source = newTable();
    RegisterTrigger trigger = generation(source);
    GenerationWatch watch = watch(source);
    PLAN.arm(Fate.DIES, step);

    RegisterResult result = path.run(trigger);
    PLAN.disarm();

    assertThat(PLAN.wasReached()).isTrue();
    assertThat(result.status())
        .as(String.valueOf(result.reason()))
        .isEqualTo(RegisterStatus.COMPLETED);
    watch.look();
    watch.requireNoComplaint();
    assertThat(watch.seen()).containsExactly(trigger.generation().value());
    assertIsLive(source, trigger);
    assertThat(path.publications(source)).hasSize(1);
  }

  @ParameterizedTest(name = "set, {2}")
  @MethodSource("gapsTogether")
  void aWorkerDiesWhileASetIsPublished(String step, int times, String gap) throws Exception {
    Source fresh = newTable();
    RegisterTrigger next = generation(old);
    RegisterTrigger first = generation(fresh);
    GenerationWatch oldWatch = watch(old);
    GenerationWatch freshWatch = watch(fresh);
    look();
    PLAN.arm(Fate.DIES, step, times);

    PublishSetResult result = path.publishSet("set-" + epoch, next, first);
    PLAN.disarm();

    assertThat(PLAN.wasReached()).as("the step is taken so often").isTrue();
    assertThat(result.status())
        .as(String.valueOf(result.reason()))
        .isEqualTo(RegisterStatus.COMPLETED);
    look();
    oldWatch.requireNoComplaint();
    freshWatch.requireNoComplaint();
    assertThat(oldWatch.seen()).hasSize(2).endsWith(next.generation().value());
    assertThat(freshWatch.seen()).containsExactly(first.generation().value());
    assertIsLive(old, next);
    assertIsLive(fresh, first);
    assertThat(path.publications(fresh)).hasSize(1);
    assertThat(live(fresh).snapshotId())
        .as("one snapshot made both visible")
        .isEqualTo(live(old).snapshotId());
  }

  private static Publication live(Source source) {
    return path.publications(source).getFirst();
  }

  private static void assertIsLive(Source source, RegisterTrigger trigger) throws SQLException {
    String generation = trigger.generation().value();
    assertThat(live(source).generation()).isEqualTo(generation);
    assertThat(path.duckDb("SELECT g, count(*) FROM " + source.sql() + " GROUP BY ALL"))
        .isEqualTo(List.of(List.of(generation, "" + ROWS)));
    assertThat(path.jobs.running()).isEmpty();
    assertThat(path.attempts(source).getFirst().status()).isEqualTo(JobStatus.COMPLETED);
    List<String> objects =
        path.lakeState.read(
            dsl ->
                dsl.fetchValues("SELECT path FROM ducklake_data_file").stream()
                    .map(String::valueOf)
                    .toList());
    assertThat(new HashSet<>(objects)).as("no object has two rows").hasSameSizeAs(objects);
  }
}
