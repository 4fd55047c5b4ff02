package dev.sluice.embedded;

import io.temporal.activity.ActivityOptions;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import java.time.Duration;
import java.util.function.BiFunction;

/**
 * A worker whose workflows call activities with other options than they say: the in-memory
 * service's clock does not skip what it waits for of a worker. Thread-safe when the change is.
 */
public final class ActivityOptionsChange extends WorkerInterceptorBase {

  private final BiFunction<String, ActivityOptions, ActivityOptions> change;

  /**
   * Changes every call's options.
   *
   * @param change gets the activity's type and the workflow's options
   */
  public ActivityOptionsChange(BiFunction<String, ActivityOptions, ActivityOptions> change) {
    this.change = change;
  }

  /** Gives an attempt at one type of activity up after so long. */
  public static ActivityOptionsChange givingUp(String activity, Duration after) {
    return new ActivityOptionsChange(
        (type, options) ->
            type.equals(activity)
                ? ActivityOptions.newBuilder(options).setStartToCloseTimeout(after).build()
                : options);
  }

  /** Makes as many attempts as the workflow says, but with no longer a pause between two. */
  public static ActivityOptionsChange pausing(Duration pause) {
    return new ActivityOptionsChange(
        (type, options) ->
            ActivityOptions.newBuilder(options)
                .setRetryOptions(
                    options.getRetryOptions().toBuilder()
                        .setInitialInterval(pause)
                        .setMaximumInterval(pause)
                        .build())
                .build());
  }

  @Override
  public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
    return new WorkflowInboundCallsInterceptorBase(next) {
      @Override
      public void init(WorkflowOutboundCallsInterceptor outbound) {
        super.init(new Changed(outbound));
      }
    };
  }

  private final class Changed extends WorkflowOutboundCallsInterceptorBase {
    Changed(WorkflowOutboundCallsInterceptor next) {
      super(next);
    }

    @Override
    public <R> ActivityOutput<R> executeActivity(ActivityInput<R> input) {
      return super.executeActivity(
          new ActivityInput<>(
              input.getActivityName(),
              input.getResultClass(),
              input.getResultType(),
              input.getArgs(),
              change.apply(input.getActivityName(), input.getOptions()),
              input.getHeader()));
    }
  }
}
