package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.temporal.CrashPlan.Fate;
import dev.sluice.activities.temporal.CrashPlan.Passed;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A worker dies between any two steps of a rollback, and another one goes on: the generation comes
 * back once, whole, from objects of its own. Two generations of one source take turns.
 */
class RollbackCrashTest {

  private static final List<String> GENERATIONS = List.of("100", "200");

  private static final CrashPlan PLAN = new CrashPlan(() -> {});
  private static SteppedPath stepped;
  private static RegisterFixture path;
  private static Source source;
  private static List<Passed> steps = List.of();
  private static int turn;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    stepped = SteppedPath.start(scratch, PLAN);
    path = stepped.path;
    source = path.newSource("rollback_crash");
    for (int epoch : new int[] {100, 200}) {
      for (String file : List.of("p=1/a.parquet", "p=2/b.parquet")) {
        path.write(
            source, epoch, file, "SELECT %d AS g, range AS i FROM range(4)".formatted(epoch));
      }
      assertThat(path.run(source.trigger(epoch)).reason()).isNull();
    }
    PLAN.arm(Fate.LIVES, 0);
    RegisterResult result = path.rollback(source, next(), null);
    steps = PLAN.disarm();
    assertThat(result.reason()).isNull();
  }

  @AfterAll
  static void stop() throws SQLException {
    stepped.close();
  }

  private static String next() {
    return GENERATIONS.get(turn++ % 2);
  }

  static Stream<Arguments> gaps() {
    return SteppedPath.gaps(steps);
  }

  @Test
  void theStepsAreThoseOfARollback() {
    assertThat(steps.stream().map(Passed::name))
        .contains(
            "restorePlan: begins",
            "restorePrepare: has done its work",
            "restoreCopy: begins",
            "inspect: has done its work",
            "restoreVerify: has done its work",
            "publish, lake: commit",
            "close-attempt: has done its work")
        .noneMatch(name -> name.startsWith("gate"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("gaps")
  void aWorkerDiesAndAnotherOneGoesOn(int step, String gap) throws Exception {
    String generation = next();
    int before = path.publications(source).size();
    PLAN.arm(Fate.DIES, step);

    RegisterResult result = path.rollback(source, generation, null);
    PLAN.disarm();

    assertThat(result.status())
        .as(String.valueOf(result.reason()))
        .isEqualTo(RegisterStatus.COMPLETED);
    List<Publication> history = path.publications(source);
    assertThat(history).as("published once").hasSize(before + 1);
    assertThat(history.getFirst().generation()).isEqualTo(generation);
    assertThat(history.getFirst().restores()).isNotNull();
    assertThat(
            path.duckDb("SELECT p, g, count(*) FROM " + source.sql() + " GROUP BY ALL ORDER BY p"))
        .isEqualTo(List.of(List.of("1", generation, "4"), List.of("2", generation, "4")));
    assertThat(path.jobs.running()).isEmpty();
    assertThat(path.attempts(source).getFirst().status()).isEqualTo(JobStatus.COMPLETED);
    List<String> objects =
        path.lakeState.read(
            dsl ->
                dsl.fetchValues("SELECT path FROM ducklake_data_file").stream()
                    .map(String::valueOf)
                    .toList());
    assertThat(objects).as("no object belongs to two rows").doesNotHaveDuplicates();
  }
}
