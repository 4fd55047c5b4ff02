package dev.sluice.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.upstream.ChildStart;
import dev.sluice.workflows.upstream.UpstreamImport;
import dev.sluice.workflows.upstream.UpstreamImportInput;
import dev.sluice.workflows.upstream.UpstreamTable;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ChildStarterTest {

  @Test
  void aRunThatClosesJustBeforeItIsSignalledIsFollowedByANewOne() throws InterruptedException {
    CountDownLatch landing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    RegisterTrigger running = Triggers.generation(0);
    AtomicReference<Runnable> close = new AtomicReference<>(() -> {});
    Closer closer = () -> Objects.requireNonNull(close.get()).run();
    try (TimeSkippingFixture fixture =
        TimeSkippingFixture.startWith(new ClosesBeforeSignal(), closer)) {
      close.set(
          () -> {
            go.countDown();
            fixture.result(running);
          });
      fixture.activities.land = ModelActivities.waitingFor(landing, go);
      fixture.begin(running);
      landing.await();

      ChildStart start = importOnce(fixture);

      assertThat(start.outcome()).isEqualTo(ChildStart.Outcome.RESTARTED);
      assertThat(start.tries()).isEqualTo(2);
      assertThat(start.runId()).isNotNull();
      assertThat(fixture.result(running).generation()).isEqualTo(Triggers.token(1));
    }
  }

  private static ChildStart importOnce(TimeSkippingFixture fixture) {
    return fixture
        .client()
        .newWorkflowStub(
            UpstreamImport.class,
            WorkflowOptions.newBuilder().setTaskQueue(Workflows.TASK_QUEUE).build())
        .run(
            new UpstreamImportInput(
                123,
                "job-1",
                "Stripe",
                null,
                List.of(new UpstreamTable("invoices", Triggers.SOURCE)),
                null,
                null,
                null))
        .registrations()
        .getFirst();
  }

  /** Lets the running workflow end. */
  @ActivityInterface
  public interface Closer {
    /** Returns when it has ended. */
    void letItClose();
  }

  /** Puts the end of the running workflow between the refused start and the signal. */
  private static final class ClosesBeforeSignal extends WorkerInterceptorBase {
    @Override
    public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
      return new WorkflowInboundCallsInterceptorBase(next) {
        @Override
        public void init(WorkflowOutboundCallsInterceptor outbound) {
          super.init(new Outbound(outbound));
        }
      };
    }
  }

  private static final class Outbound extends WorkflowOutboundCallsInterceptorBase {
    Outbound(WorkflowOutboundCallsInterceptor next) {
      super(next);
    }

    @Override
    public SignalExternalOutput signalExternalWorkflow(SignalExternalInput input) {
      Workflow.newActivityStub(
              Closer.class,
              ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(1)).build())
          .letItClose();
      return super.signalExternalWorkflow(input);
    }
  }
}
