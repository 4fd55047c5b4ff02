package dev.sluice.activities.temporal;

import dev.sluice.activities.temporal.Steps.Effect;
import dev.sluice.activities.temporal.Steps.Scope;
import dev.sluice.activities.temporal.Steps.Step;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the steps of one run be taken one at a time, each when the test says so. A transaction is
 * one step: it holds locks that others would wait for, and nobody sees it before its COMMIT. Used
 * by the run's threads on one side and the test's thread on the other.
 */
final class Baton implements Steps {

  /** What befalls the run at a step. */
  enum Fate {
    /** Nothing. */
    GOES_ON,
    /** Its worker dies right after the step. */
    DIES,
    /** The answer to the step's COMMIT is lost; a step without COMMIT goes on. */
    LOSES_THE_ANSWER
  }

  private static final long BOUND_SECONDS = 30;

  private final ReentrantLock oneAtATime = new ReentrantLock();
  private final Semaphore turn = new Semaphore(0);
  private final Semaphore rest = new Semaphore(0);
  private volatile Fate fate = Fate.GOES_ON;
  private volatile boolean dead;
  private volatile int lives;
  private volatile boolean over;
  private volatile boolean visible;
  private volatile boolean touchedCatalog;
  private volatile String next = "";

  /** Begins a run; it comes to rest before its first step. */
  void begin(Runnable run) {
    over = false;
    dead = false;
    touchedCatalog = false;
    fate = Fate.GOES_ON;
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                run.run();
              } finally {
                over = true;
                rest.release();
              }
            });
    awaitRest();
  }

  /** Whether the run has ended. */
  boolean isOver() {
    return over;
  }

  /** The step that is taken next. */
  String next() {
    return next;
  }

  /**
   * Takes one step; returns once the run rests before its next one.
   *
   * @return whether a reader could see a difference
   */
  boolean take(Fate wanted) {
    fate = wanted;
    visible = false;
    turn.release();
    awaitRest();
    return visible;
  }

  /** Whether the run's worker has died; there is another one from now on. */
  boolean reborn() {
    boolean was = dead;
    dead = false;
    lives = was ? lives + 1 : lives;
    return was;
  }

  /** How many workers were there before this one. */
  int lives() {
    return lives;
  }

  private void awaitRest() {
    try {
      if (!rest.tryAcquire(BOUND_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the run does not come to its next step after: " + next);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void before(Step step) {
    oneAtATime.lock();
    if (dead) {
      throw new WorkerDied("before this step: " + step);
    }
    if (step.scope() == Scope.ALONE || step.scope() == Scope.BEGIN) {
      next = step.toString();
      rest.release();
      turn.acquireUninterruptibly();
    }
    touchedCatalog |= step.effect() == Effect.EFFECT && step.what().contains("ducklake_");
  }

  @Override
  public void after(Step step) {
    if (step.effect() == Effect.EFFECT && step.scope() == Scope.ALONE) {
      visible |= step.place().endsWith("store") && !step.what().startsWith("read");
    }
    if (step.scope() == Scope.COMMIT) {
      visible |= touchedCatalog;
      touchedCatalog = false;
    }
    boolean last = step.scope() == Scope.ALONE || step.scope() == Scope.COMMIT;
    Fate mine = last ? fate : Fate.GOES_ON;
    if (last) {
      fate = Fate.GOES_ON;
    }
    switch (mine) {
      case GOES_ON -> {}
      case DIES -> {
        dead = true;
        throw new WorkerDied("after " + step);
      }
      case LOSES_THE_ANSWER -> {
        if (step.scope() == Scope.COMMIT) {
          throw new LostAnswer();
        }
      }
    }
  }

  @Override
  public void left(Step step) {
    if (oneAtATime.isHeldByCurrentThread()) {
      oneAtATime.unlock();
    }
  }
}
