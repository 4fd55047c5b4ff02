package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.storage.HeldCopy;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that takes longer to copy than a worker may be silent. */
class SlowCopyTest {

  /** One may be under way already when the copy begins; further ones come from its waiting. */
  private static final int BEATS = 3;

  private static final long HEARTBEAT_TIMEOUT_SECONDS = 30;

  private static final BeatCounter BEAT_COUNTER = new BeatCounter();

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path =
        RegisterFixture.local(
            scratch, new RegisterFixture.Faults(UnaryOperator.identity(), BEAT_COUNTER));
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  @Test
  @DisplayName("WFL-05: a slow copy beats, is tried once, and leaves no open upload when cancelled")
  void wfl05_slowCopyBeatsAndLeavesNoOpenUploadWhenCancelled() throws Exception {
    Source source = path.newSource("wfl05");
    path.write(source, 100, "a.parquet", "SELECT 100 AS g");
    try (HeldCopy slow = new HeldCopy()) {
      path.lakeFault = lake -> FaultyStore.in(lake, (real, from, object, key) -> slow.copy());
      path.start(source.trigger(100));
      Uninterruptibly.await(slow.begun());
      Uninterruptibly.await(BEAT_COUNTER.next(BEATS));
      assertThat(slow.openUploads()).hasSize(1);
      WorkflowStub run = path.client().newUntypedWorkflowStub(WorkflowIds.of(source.trigger(100)));

      run.cancel();

      Uninterruptibly.await(slow.ended());
      assertThatThrownBy(() -> run.getResult(RegisterResult.class))
          .isInstanceOf(WorkflowFailedException.class)
          .hasMessageContaining(WorkflowIds.of(source.trigger(100)));
      assertThat(slow.uploadsBegun()).as("tries of the copy").isEqualTo(1);
      assertThat(slow.openUploads()).isEmpty();
      assertThat(slow.arrived()).isFalse();
    } finally {
      path.lakeFault = lake -> lake;
    }

    assertLandedOnce(source);
    List<SourceJob> attempts = path.attempts(source);
    assertThat(attempts).hasSize(1);
    assertThat(attempts.getFirst().status()).isEqualTo(JobStatus.FAILED);
    assertThat(attempts.getFirst().latestError()).contains("cancelled on request");
    assertThat(path.publications(source)).isEmpty();
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    assertThat(path.scan(source)).containsExactly(List.of("100"));
  }

  /** The landing was asked for once, of a worker that had to beat meanwhile. */
  private static void assertLandedOnce(Source source) {
    List<HistoryEvent> history =
        path.client().fetchHistory(WorkflowIds.of(source.trigger(100))).getEvents();
    List<HistoryEvent> scheduled =
        history.stream()
            .filter(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
            .filter(
                event ->
                    event
                        .getActivityTaskScheduledEventAttributes()
                        .getActivityType()
                        .getName()
                        .equals("land"))
            .toList();
    assertThat(scheduled).hasSize(1);
    assertThat(
            scheduled
                .getFirst()
                .getActivityTaskScheduledEventAttributes()
                .getHeartbeatTimeout()
                .getSeconds())
        .isEqualTo(HEARTBEAT_TIMEOUT_SECONDS);
  }
}
