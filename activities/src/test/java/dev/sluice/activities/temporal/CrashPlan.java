package dev.sluice.activities.temporal;

import dev.sluice.activities.temporal.Steps.Effect;
import dev.sluice.activities.temporal.Steps.Scope;
import dev.sluice.activities.temporal.Steps.Step;
import dev.sluice.activities.temporal.Steps.WorkerDied;
import dev.sluice.embedded.ActivityOptionsChange;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records the steps of a run, or ends its worker's life between two of them: from then on every
 * step of that life fails, so nothing can be tidied up, until the activity that was running has
 * unwound. The next activity is the next worker's. Thread-safe.
 */
final class CrashPlan implements Steps {

  /** What happens at the chosen step. */
  enum Fate {
    /** Nothing: steps are only recorded. */
    LIVES,
    /** The worker dies; its activities are tried again by the next one. */
    DIES,
    /** The worker dies, and is not replaced before {@link #goOn()}. */
    DIES_AND_STAYS_AWAY,
    /** The worker is held up until {@link #goOn()}, and then goes on as if nothing was. */
    IS_HELD_UP
  }

  private static final String GATE = "gate";

  /** How soon nothing heard of the gate is noticed, where a worker has 30 s. */
  private static final Duration SILENCE = Duration.ofSeconds(2);

  private final List<Passed> passed = new ArrayList<>();
  private final Runnable watch;
  private Fate fate = Fate.LIVES;
  private Predicate<List<Passed>> chosen = taken -> false;
  private boolean armed;
  private boolean dead;
  private String activity = "";
  private Object call = this;
  private Object hit = this;
  private CountDownLatch reached = new CountDownLatch(1);
  private CountDownLatch unwound = new CountDownLatch(1);
  private CountDownLatch resumed = new CountDownLatch(1);

  /**
   * A step of the recorded run.
   *
   * @param inTransaction whether a transaction is open after it, and locks are held
   */
  record Passed(String name, boolean inTransaction) {}

  /**
   * @param watch is called after every step that others could notice, while nothing else moves
   */
  CrashPlan(Runnable watch) {
    this.watch = watch;
  }

  /** Begins to record, and to carry out what is planned after so many steps. */
  void arm(Fate planned, int step) {
    arm(planned, taken -> taken.size() - 1 == step);
  }

  /** As {@link #arm(Fate, int)}, after a step of that name was taken so many times. */
  void arm(Fate planned, String step, int times) {
    arm(
        planned,
        taken ->
            taken.getLast().name().equals(step)
                && taken.stream().filter(each -> each.name().equals(step)).count() == times);
  }

  private synchronized void arm(Fate planned, Predicate<List<Passed>> step) {
    passed.clear();
    fate = planned;
    chosen = step;
    armed = true;
    reached = new CountDownLatch(1);
    unwound = new CountDownLatch(1);
    resumed = new CountDownLatch(1);
  }

  /** Stops recording; gives the steps that were passed. */
  synchronized List<Passed> disarm() {
    armed = false;
    return List.copyOf(passed);
  }

  /** Lets live whoever comes now; what is held up stays so. */
  synchronized void leaveAlone() {
    armed = false;
  }

  void awaitReached() {
    Uninterruptibly.await(reached);
  }

  /** Whether the chosen step was come to. */
  boolean wasReached() {
    return reached.getCount() == 0;
  }

  /** Waits until the activity that was hit has ended. */
  void awaitUnwound() {
    Uninterruptibly.await(unwound);
  }

  void goOn() {
    resumed.countDown();
  }

  @Override
  public void before(Step step) {
    synchronized (this) {
      if (dead) {
        throw new WorkerDied("before this step: " + step);
      }
    }
  }

  @Override
  public void after(Step step) {
    synchronized (this) {
      if (dead) {
        throw new WorkerDied("before it heard of this step: " + step);
      }
      if (!armed || step.effect() == Effect.READ) {
        return;
      }
      boolean inTransaction = step.scope() == Scope.WITHIN || step.scope() == Scope.BEGIN;
      passed.add(
          new Passed(activity.isEmpty() ? step.toString() : activity + ", " + step, inTransaction));
      if (!inTransaction) {
        watch.run();
      }
      if (fate == Fate.LIVES || !chosen.test(passed)) {
        return;
      }
      armed = fate == Fate.DIES;
      dead = fate != Fate.IS_HELD_UP;
      hit = call;
      reached.countDown();
      if (dead) {
        throw new WorkerDied("after " + step);
      }
    }
    Uninterruptibly.await(resumed);
  }

  /** Around every activity of the worker. */
  WorkerInterceptorBase interceptor() {
    return new WorkerInterceptorBase() {
      @Override
      public WorkflowInboundCallsInterceptor interceptWorkflow(
          WorkflowInboundCallsInterceptor next) {
        return ActivityOptionsChange.givingUp(GATE, SILENCE).interceptWorkflow(next);
      }

      @Override
      public ActivityInboundCallsInterceptor interceptActivity(
          ActivityInboundCallsInterceptor next) {
        return new Boundaries(next);
      }
    };
  }

  private final class Boundaries extends ActivityInboundCallsInterceptorBase {
    private @Nullable ActivityExecutionContext context;

    Boundaries(ActivityInboundCallsInterceptor next) {
      super(next);
    }

    @Override
    public void init(ActivityExecutionContext outer) {
      context = outer;
      super.init(outer);
    }

    @Override
    public ActivityOutput execute(ActivityInput input) {
      String type = context == null ? "" : context.getInfo().getActivityType();
      String name = type;
      enter(this, "");
      try {
        after(new Step(name, "begins", Scope.ALONE, Effect.EFFECT));
        enter(this, name);
        ActivityOutput output = super.execute(input);
        enter(this, "");
        after(new Step(name, "has done its work", Scope.ALONE, Effect.EFFECT));
        return output;
      } catch (WorkerDied died) {
        CountDownLatch replaced = buried();
        Uninterruptibly.await(replaced);
        if (type.equals(GATE)) {
          // what it fails with would be taken for the gate's own answer; nothing is heard instead
          Objects.requireNonNull(context).doNotCompleteOnReturn();
          return new ActivityOutput(null);
        }
        throw ApplicationFailure.newBuilder()
            .setMessage(String.valueOf(died.getMessage()))
            .setType("WorkerDied")
            .setNextRetryDelay(Duration.ofMillis(1))
            .build();
      } finally {
        left(this);
      }
    }
  }

  private synchronized void enter(Object entered, String name) {
    call = entered;
    activity = name;
  }

  /** Nothing of the dead worker moves any more; another one may live. */
  private synchronized CountDownLatch buried() {
    dead = false;
    return fate == Fate.DIES_AND_STAYS_AWAY ? resumed : new CountDownLatch(0);
  }

  @SuppressWarnings("ReferenceEquality") // one call, not one like it
  private synchronized void left(Object leaving) {
    if (leaving == hit) {
      unwound.countDown();
    }
  }
}
