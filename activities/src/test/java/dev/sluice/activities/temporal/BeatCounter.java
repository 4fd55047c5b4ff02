package dev.sluice.activities.temporal;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import io.temporal.common.interceptors.ActivityExecutionContextBase;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.util.concurrent.CountDownLatch;

/** Counts down a latch with every heartbeat of the worker's activities. Thread-safe. */
final class BeatCounter extends WorkerInterceptorBase {

  private volatile CountDownLatch beats = new CountDownLatch(0);

  /** Counted down by the next so many heartbeats. */
  CountDownLatch next(int count) {
    CountDownLatch next = new CountDownLatch(count);
    beats = next;
    return next;
  }

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new ActivityInboundCallsInterceptorBase(next) {
      @Override
      public void init(ActivityExecutionContext context) {
        super.init(new Counting(context));
      }
    };
  }

  private final class Counting extends ActivityExecutionContextBase {
    Counting(ActivityExecutionContext next) {
      super(next);
    }

    @Override
    public <V> void heartbeat(V details) throws ActivityCompletionException {
      super.heartbeat(details);
      beats.countDown();
    }
  }
}
