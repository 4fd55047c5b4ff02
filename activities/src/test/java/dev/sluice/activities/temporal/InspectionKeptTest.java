package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.temporal.CrashPlan.Fate;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.WorkflowIds;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was inspected or verified to the end is not read a second time after a crash. */
class InspectionKeptTest {

  private static final int FILES = 3;
  private static final CrashPlan PLAN = new CrashPlan(() -> {});

  /** Footers read, by the store they were read from. */
  private static final Map<String, Integer> FOOTERS = new ConcurrentHashMap<>();

  private static SteppedPath stepped;
  private static RegisterFixture path;
  private Source source;
  private long epoch = 100;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    stepped = SteppedPath.start(scratch, PLAN, counting(), RegisterFixture.Faults.MANY);
    path = stepped.path;
  }

  @AfterAll
  static void stop() throws SQLException {
    stepped.close();
  }

  private static Steps counting() {
    return new Steps() {
      @Override
      public void before(Step step) {
        PLAN.before(step);
      }

      @Override
      public void after(Step step) {
        if (step.what().equals("read the end of an object")) {
          FOOTERS.merge(step.place(), 1, Integer::sum);
        }
        PLAN.after(step);
      }
    };
  }

  private static void assertReadOnceEach(int files) {
    assertThat(FOOTERS).isEqualTo(Map.of("lake store", files, "source store", files));
  }

  @BeforeEach
  void newSource() {
    source = path.newSource("kept");
    FOOTERS.clear();
  }

  private RegisterTrigger generation() throws SQLException {
    epoch++;
    for (int file = 0; file < FILES; file++) {
      path.write(source, epoch, file + ".parquet", "SELECT %d AS g, 1 AS i".formatted(epoch));
    }
    return source.trigger(epoch);
  }

  private RegisterResult diesAfter(String step) throws SQLException {
    PLAN.arm(Fate.DIES, step, 1);
    RegisterResult result = path.run(generation());
    PLAN.disarm();
    assertThat(PLAN.wasReached()).isTrue();
    assertThat(result.reason()).isNull();
    return result;
  }

  @Test
  void aHealthyRunReadsEveryFooterOnce() throws Exception {
    path.run(generation());

    assertReadOnceEach(FILES);
  }

  @Test
  void anInspectionWhoseAnswerWasLostIsNotMadeAgain() throws Exception {
    RegisterResult result = diesAfter("inspect: has done its work");

    assertReadOnceEach(FILES);
    assertThat(result.rows()).isEqualTo(FILES);
  }

  @Test
  void aVerificationWhoseAnswerWasLostIsNotMadeAgain() throws Exception {
    diesAfter("verify: has done its work");

    assertReadOnceEach(FILES);
  }

  @Test
  void theNextAttemptTakesTheInspectionAndVerifiesAnew() throws Exception {
    RegisterTrigger trigger = terminatedAfterInspection();

    assertThat(path.run(trigger).status()).isEqualTo(RegisterStatus.COMPLETED);

    assertReadOnceEach(FILES);
  }

  @Test
  void anInspectionForOtherColumnsOfTheLiveTableIsMadeAgain() throws Exception {
    path.run(generation());
    RegisterTrigger trigger = terminatedAfterInspection();
    path.session().execute("ALTER TABLE " + source.sql() + " ADD COLUMN later INTEGER");
    FOOTERS.clear();

    assertThat(path.run(trigger).status()).isEqualTo(RegisterStatus.COMPLETED);

    assertReadOnceEach(FILES);
  }

  @Test
  void anInspectionOfOtherFilesIsMadeAgain() throws Exception {
    RegisterTrigger trigger = terminatedAfterInspection();
    path.write(source, epoch, "more.parquet", "SELECT %d AS g, 2 AS i".formatted(epoch));
    FOOTERS.clear();

    assertThat(path.run(trigger).rows()).isEqualTo(FILES + 1L);

    assertReadOnceEach(FILES + 1);
  }

  private RegisterTrigger terminatedAfterInspection() throws SQLException {
    RegisterTrigger trigger = generation();
    PLAN.arm(Fate.DIES_AND_STAYS_AWAY, "inspect: has done its work", 1);
    path.start(trigger);
    PLAN.awaitReached();
    path.client().newUntypedWorkflowStub(WorkflowIds.of(trigger)).terminate("a test");
    PLAN.goOn();
    PLAN.awaitUnwound();
    path.reap();
    return trigger;
  }
}
