package dev.sluice.activities.temporal;

import io.temporal.activity.ActivityOptions;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import java.time.Duration;

/**
 * Gives an activity of one type up sooner than its workflow says: the in-memory service's clock
 * does not skip what it waits for of a worker. Thread-safe.
 */
final class GivenUpSooner extends WorkerInterceptorBase {
  private final String activity;
  private final Duration after;

  GivenUpSooner(String activity, Duration after) {
    this.activity = activity;
    this.after = after;
  }

  @Override
  public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
    return new WorkflowInboundCallsInterceptorBase(next) {
      @Override
      public void init(WorkflowOutboundCallsInterceptor outbound) {
        super.init(new Sooner(outbound));
      }
    };
  }

  private final class Sooner extends WorkflowOutboundCallsInterceptorBase {
    Sooner(WorkflowOutboundCallsInterceptor next) {
      super(next);
    }

    @Override
    public <R> ActivityOutput<R> executeActivity(ActivityInput<R> input) {
      if (!input.getActivityName().equals(activity)) {
        return super.executeActivity(input);
      }
      ActivityOptions sooner =
          ActivityOptions.newBuilder(input.getOptions()).setStartToCloseTimeout(after).build();
      return super.executeActivity(
          new ActivityInput<>(
              input.getActivityName(),
              input.getResultClass(),
              input.getResultType(),
              input.getArgs(),
              sooner,
              input.getHeader()));
    }
  }
}
