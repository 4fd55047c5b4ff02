package dev.sluice.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.upstream.ChildStart;
import dev.sluice.workflows.upstream.TriggerSender;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TriggerSenderTest {
  private final TimeSkippingFixture fixture = TimeSkippingFixture.start();
  private final TriggerSender starter = new TriggerSender(fixture.client(), Workflows.TASK_QUEUE);
  private final RegisterTrigger first = Triggers.generation(1);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  @DisplayName("WFL-08: the caller is told which run was started, also after one has ended")
  void wfl08_theCallerIsToldWhichRunWasStarted() {
    ChildStart start = starter.send(first);
    fixture.result(first);
    ChildStart again = starter.send(first);

    assertThat(start.outcome()).isEqualTo(ChildStart.Outcome.STARTED);
    assertThat(again.outcome()).isEqualTo(ChildStart.Outcome.STARTED);
    assertThat(again.workflowId()).isEqualTo(start.workflowId());
    assertThat(again.runId()).isNotNull().isNotEqualTo(start.runId());
    assertThat(fixture.result(first).reason()).isEqualTo("already published as snapshot 1");
  }

  @Test
  void aRunThatGoesOnIsSentTheTrigger() throws InterruptedException {
    CountDownLatch landing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    fixture.activities.land = ModelActivities.waitingFor(landing, go);
    starter.send(first);
    landing.await();

    ChildStart second = starter.send(Triggers.generation(2));
    go.countDown();

    assertThat(second.outcome()).isEqualTo(ChildStart.Outcome.SIGNALLED);
    assertThat(second.runId()).isNull();
    assertThat(fixture.result(first).generation()).isEqualTo(Triggers.token(2));
  }
}
