package dev.sluice.activities.temporal;

import io.temporal.activity.Activity;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/**
 * Holds one kind of activity up where it first asks for its lake, until it is let go; everybody
 * else passes.
 */
final class Gatekeeper implements UnaryOperator<LakeAccess> {
  private final String activity;
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final CountDownLatch passed = new CountDownLatch(1);

  /** Stops activities of this type. */
  Gatekeeper(String activity) {
    this.activity = activity;
  }

  @Override
  public LakeAccess apply(LakeAccess lake) {
    if (isActivity()) {
      reached.countDown();
      Uninterruptibly.await(release);
      passed.countDown();
    }
    return lake;
  }

  void awaitReached() {
    Uninterruptibly.await(reached);
  }

  void letGo() {
    release.countDown();
    Uninterruptibly.await(passed);
  }

  private boolean isActivity() {
    try {
      return Activity.getExecutionContext().getInfo().getActivityType().equals(activity);
    } catch (IllegalStateException outsideOfAnyActivity) {
      return false;
    }
  }
}
