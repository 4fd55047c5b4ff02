package dev.sluice.worker.config;

/**
 * How much one worker does at a time.
 *
 * @param activities activities at a time
 * @param workflowTasks workflow tasks at a time
 * @param copies object copies of one landing at a time
 * @param footers footers of one inspection read at a time
 */
public record LimitSettings(int activities, int workflowTasks, int copies, int footers) {
  /** Every activity may hold a database connection for a moment; the pool queues them. */
  static final int DEFAULT_ACTIVITIES = 16;

  /** Workflow tasks need milliseconds. */
  static final int DEFAULT_WORKFLOW_TASKS = 32;

  /** Enough to hide a store's latency, few enough for its request limits. */
  static final int DEFAULT_COPIES = 32;

  /** Footers are small: latency alone counts. */
  static final int DEFAULT_FOOTERS = 128;
}
