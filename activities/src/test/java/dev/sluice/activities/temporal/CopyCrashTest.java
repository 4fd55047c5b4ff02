package dev.sluice.activities.temporal;

import static dev.sluice.activities.delta.DeltaActions.add;
import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.remove;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.delta.DeltaActions;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.activities.temporal.CrashPlan.Fate;
import dev.sluice.activities.temporal.CrashPlan.Passed;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.ProducerOrder;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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
 * A worker dies between any two steps of a copy, from its plan on, and another one goes on; then
 * contracts 8.2 must hold as if nothing had happened. {@link RegisterCrashTest} has the steps
 * before, and the gaps inside the transactions of those that the paths have in common.
 *
 * <p>All copies are of one table. Each version has one file of every kind: unchanged, copied as it
 * is, copied with deleted rows, and written anew since its types are narrower. Files land in any
 * order, so gaps are found by the names of their steps.
 */
class CopyCrashTest {

  private static final List<String> STAGES =
      List.of("copyPrepare", "copyLand", "inspect", "copyVerify", "publish", "close-attempt");

  private static final String COLUMNS =
      schema(field("v", "integer"), field("moment", "timestamp_ntz"), field("p", "string"));

  private static final CrashPlan PLAN = new CrashPlan(() -> watch().look());

  /** Whether the files of the version vanish before the first of them is copied. */
  private static final AtomicBoolean COMPACTED = new AtomicBoolean();

  private static SteppedPath stepped;
  private static RegisterFixture path;
  private static HikariDataSource observerPool;
  private static volatile GenerationWatch watch;
  private static DeltaSource delta;
  private static long version = -1;
  private static List<Passed> steps = List.of();
  private static List<Passed> replanned = List.of();
  private boolean passed;

  private static GenerationWatch watch() {
    return watch;
  }

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    // one activity at a time: the plan knows the activity of a step by that
    stepped = SteppedPath.start(scratch, PLAN, PLAN, 1);
    path = stepped.path;
    observerPool = path.lakeDatabase.dataSource(1);
    UnaryOperator<LakeAccess> reporting = path.lakeFault;
    path.lakeFault = lake -> reporting.apply(compacting(lake));
    delta = new DeltaSource(path, "crash");
    watch = watchOf(delta.source());
    makeFirstVersion();
    steps = recorded();
    COMPACTED.set(true);
    replanned = recorded();
  }

  @AfterAll
  static void stop() throws SQLException {
    stepped.close();
    observerPool.close();
  }

  private static GenerationWatch watchOf(Source source) {
    return new GenerationWatch(
        observerPool,
        path.catalog.info().key(),
        path.lakeStore,
        source.schema(),
        source.published());
  }

  private static void makeFirstVersion() throws SQLException {
    version = -1;
    assertThat(delta.copy(nextVersion()).reason()).isNull();
    watch.look();
  }

  @AfterEach
  void leaveAlone() throws SQLException {
    PLAN.leaveAlone();
    COMPACTED.set(false);
    if (!passed) {
      // what this one left behind must not fail the others
      delta = new DeltaSource(path, "crash");
      watch = watchOf(delta.source());
      makeFirstVersion();
    }
  }

  private static List<Passed> recorded() throws SQLException {
    long next = nextVersion();
    PLAN.arm(Fate.LIVES, 0);
    RegisterResult result = delta.copy(next);
    List<Passed> taken = PLAN.disarm();
    assertThat(result.reason()).isNull();
    return taken;
  }

  /** Writes the next version of the table; none of its files but one was in the one before. */
  private static long nextVersion() throws SQLException {
    version++;
    List<Object> actions = new ArrayList<>();
    if (version == 0) {
      actions.add(protocol("deletionVectors", "typeWidening", "timestampNtz"));
      actions.add(metadata(COLUMNS, "p"));
      actions.add(
          file(
                  "unchanged.parquet",
                  2,
                  "SELECT -1::INT AS v, TIMESTAMP '2000-01-01' AS moment FROM range(2)")
              .partition("p", "=/ %25"));
    } else {
      actions.addAll(removals(version - 1));
    }
    String at =
        "SELECT %d::INT AS v, TIMESTAMP '2020-01-01' AS moment FROM range(".formatted(version);
    actions.add(file("plain-%d.parquet".formatted(version), 5, at + "5)").partition("p", "a"));
    file("deletes-%d.parquet".formatted(version), 4, at + "4)");
    actions.add(withDeletes(version));
    actions.add(
        file(
                "narrow-%d.parquet".formatted(version),
                3,
                "SELECT %d::INT AS v, DATE '2020-01-01' AS moment FROM range(3)".formatted(version))
            .partition("p", null));
    delta.folder().commit(version, actions.toArray());
    return version;
  }

  /** Writes a file by the session that is open anyway. */
  private static DeltaActions.Add file(String key, long rows, String query) throws SQLException {
    delta.folder().write(key, path.parquet(query));
    return add(key).size(delta.folder().sizeBytes(key)).rows(rows);
  }

  private static String withDeletes(long of) {
    String key = "deletes-%d.parquet".formatted(of);
    return add(key)
        .size(delta.folder().sizeBytes(key))
        .rows(4)
        .partition("p", "a")
        .inlineDeletes(1, 3)
        .toString();
  }

  private static List<Object> removals(long of) {
    return List.of(
        remove("plain-%d.parquet".formatted(of)),
        withDeletes(of).replaceFirst("^\\{\"add\"", "{\"remove\""),
        remove("narrow-%d.parquet".formatted(of)));
  }

  /** What a compaction by the producer does in the middle of a copy. */
  private static LakeAccess compacting(LakeAccess lake) {
    return FaultyStore.in(
        lake,
        (real, source, object, key) -> {
          compactOnce();
          return real.copyFrom(source, object, key, TransferMonitor.NONE);
        });
  }

  /**
   * No copy goes on before the files are gone, so that the steps until then are always the same.
   */
  private static synchronized void compactOnce() {
    if (COMPACTED.compareAndSet(true, false)) {
      long gone = version;
      try {
        nextVersion();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      for (String kind : List.of("plain", "deletes", "narrow")) {
        delta.folder().delete("%s-%d.parquet".formatted(kind, gone));
      }
    }
  }

  static Stream<Arguments> gaps() {
    return gaps(steps, 1, step -> isOfCopiesOnly(step) || !step.inTransaction());
  }

  /** From the second plan on; inside transactions it does just what the first one does. */
  static Stream<Arguments> gapsOfANewPlan() {
    return gaps(replanned, 2, step -> isOfCopiesOnly(step) && !step.inTransaction());
  }

  private static boolean isOfCopiesOnly(Passed step) {
    return step.name().startsWith("copy");
  }

  /**
   * The name of a step, how often it was taken by then, and both for people.
   *
   * @param plan from which plan on
   */
  private static Stream<Arguments> gaps(List<Passed> taken, int plan, Predicate<Passed> wanted) {
    Map<String, Integer> times = new HashMap<>();
    List<Arguments> gaps = new ArrayList<>();
    for (Passed step : taken) {
      int count = times.merge(step.name(), 1, Integer::sum);
      if (times.getOrDefault("copyPrepare: begins", 0) >= plan && wanted.test(step)) {
        gaps.add(Arguments.of(step.name(), count, "after " + step.name() + ", time " + count));
      }
    }
    return gaps.stream();
  }

  @Test
  void theStepsAreThoseOfACopyAndOfANewPlan() {
    List<String> names = steps.stream().map(Passed::name).toList();

    for (String stage : STAGES) {
      assertThat(names).containsOnlyOnce(stage + ": begins", stage + ": has done its work");
    }
    assertThat(names)
        .contains(
            "copyPrepare, lake: insert into sluice.landing_file",
            "copyLand, lake store: begin an upload",
            "copyLand, lake store: delete objects",
            "publish, lake: commit")
        .anyMatch(step -> step.startsWith("publish, lake") && step.contains("sluice.publication"));
    assertThat(names.stream().filter(name -> name.equals("copyLand, lake store: copy an object")))
        .as("the unchanged file is not copied")
        .hasSize(3);
    assertThat(replanned.stream().filter(step -> step.name().equals("copyPrepare: begins")))
        .as("the version is planned anew when its files vanished")
        .hasSize(2);
    passed = true;
  }

  @ParameterizedTest(name = "copy, {2}")
  @MethodSource("gaps")
  @DisplayName("a worker dies while a version is copied")
  void aWorkerDiesWhileAVersionIsCopied(String step, int times, String gap) throws Exception {
    long next = nextVersion();
    PLAN.arm(Fate.DIES, step, times);

    settled(gap, delta.copy(next), next, next);
    passed = true;
  }

  @ParameterizedTest(name = "new plan, {2}")
  @MethodSource("gapsOfANewPlan")
  @DisplayName("a worker dies while a version whose files vanished is planned anew")
  void aWorkerDiesWhileAVersionIsPlannedAnew(String step, int times, String gap) throws Exception {
    long next = nextVersion();
    COMPACTED.set(true);
    PLAN.arm(Fate.DIES, step, times);

    settled(gap, delta.copy(next), next, next + 1);
    passed = true;
  }

  /** What contracts 8.2 asks for, once everything has come to rest. */
  private static void settled(String gap, RegisterResult result, long asked, long published)
      throws Exception {
    PLAN.disarm();
    RegisterTrigger trigger = delta.trigger(ProducerOrder.deltaVersion(asked));
    assertThat(PLAN.wasReached()).as(gap).isTrue();
    assertThat(result.status())
        .as(gap + ": " + result.reason())
        .isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.generation()).isEqualTo("v" + published);
    watch.look();
    watch.requireNoComplaint();
    assertThat(watch.seen().getLast()).isEqualTo("v" + published);
    List<Publication> history = path.publications(delta.source());
    assertThat(history.getFirst().generation()).isEqualTo("v" + published);
    assertThat(history.stream().map(Publication::generation)).doesNotHaveDuplicates();
    assertThat(path.jobs.running()).isEmpty();
    assertThat(attempts(trigger))
        .singleElement()
        .satisfies(
            job -> {
              assertThat(job.status()).isEqualTo(JobStatus.COMPLETED);
              assertThat(job.key()).isEqualTo(history.getFirst().attempt());
              assertThat(job.snapshotId()).isEqualTo(history.getFirst().snapshotId());
              assertThat(job.rows()).isEqualTo(12);
            });
    assertThat(delta.ask("SELECT v, count(*), count(p) FROM t GROUP BY v ORDER BY v"))
        .containsExactly(List.of("-1", "2", "2"), List.of("" + published, "10", "7"));
    assertThat(delta.askAt(1, "SELECT max(v), count(*) FROM t"))
        .as("the version before, as of its snapshot")
        .containsExactly(List.of(history.get(1).generation().substring(1), "12"));
    assertNoObjectHasTwoRows();
  }

  private static List<SourceJob> attempts(RegisterTrigger trigger) {
    return path.attempts(delta.source()).stream()
        .filter(job -> job.key().attempt().attemptId().equals(trigger.attemptId()))
        .toList();
  }

  /** An object belongs to one row for ever, a delete file's too. */
  private static void assertNoObjectHasTwoRows() {
    List<String> paths =
        path.lakeState.read(
            dsl ->
                dsl
                    .fetchValues(
                        "SELECT path FROM ducklake_data_file UNION ALL"
                            + " SELECT path FROM ducklake_delete_file")
                    .stream()
                    .map(String::valueOf)
                    .toList());
    assertThat(paths).doesNotHaveDuplicates();
  }
}
