package dev.sluice.workflows;

import dev.sluice.embedded.ActivityOptionsChange;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import java.time.Duration;

/**
 * Gives an activity of one type up sooner than its workflow says, while that is asked for.
 * Thread-safe.
 */
final class GivenUpSooner extends WorkerInterceptorBase {
  private final ActivityOptionsChange change;
  private volatile boolean impatient;

  GivenUpSooner(String activity, Duration after) {
    this.change =
        new ActivityOptionsChange(
            (type, options) ->
                impatient && type.equals(activity)
                    ? ActivityOptions.newBuilder(options).setStartToCloseTimeout(after).build()
                    : options);
  }

  /** From now on. */
  void begin() {
    impatient = true;
  }

  @Override
  public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
    return change.interceptWorkflow(next);
  }
}
