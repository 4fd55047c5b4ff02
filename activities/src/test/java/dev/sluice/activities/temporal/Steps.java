package dev.sluice.activities.temporal;

/**
 * Hears of every step that a register run takes outside its own memory: statements, commits,
 * requests to stores, the begin and end of activities. Tests kill a worker at such a step, hold it
 * there, or let several runs take turns. The code under test knows nothing of this: decorators
 * around its data sources and stores and an interceptor around its activities report.
 */
interface Steps {

  /** Where a step stands with regard to database transactions. */
  enum Scope {
    /** By itself: a statement that commits at once, a request to a store, an activity's end. */
    ALONE,
    /** The first statement of a transaction. */
    BEGIN,
    /** A later statement of a transaction. */
    WITHIN,
    /** The COMMIT of a transaction. */
    COMMIT
  }

  /** Whether others could notice it. */
  enum Effect {
    /** Nothing is changed and nobody is made to wait. */
    READ,
    /** Something is changed, locked or made durable; or the boundary of an activity. */
    EFFECT
  }

  /**
   * One step.
   *
   * @param place the database, the store or the activity
   * @param what the deed, such as {@code insert into sluice.fence}
   */
  record Step(String place, String what, Scope scope, Effect effect) {
    @Override
    public String toString() {
      return place + ": " + what;
    }
  }

  /** The answer to a COMMIT is lost: the server has carried it out, the client sees a cut. */
  final class LostAnswer extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** The worker's process is gone: nothing catches it, and nothing is done after it. */
  final class WorkerDied extends Error {
    private static final long serialVersionUID = 1L;

    WorkerDied(String at) {
      super("the worker died " + at);
    }
  }

  /** Called before a step; what it throws keeps the step from being taken. */
  void before(Step step);

  /** Called after a step was taken; what it throws is what the code under test gets to see. */
  void after(Step step);

  /** Called last of all, also when the step failed or was not taken; by the same thread. */
  default void left(Step step) {}

  /** Hears nothing. */
  Steps NONE =
      new Steps() {
        @Override
        public void before(Step step) {}

        @Override
        public void after(Step step) {}
      };
}
