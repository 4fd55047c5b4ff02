package dev.sluice.worker.config;

import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.temporal.Limits;

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

  static final int DEFAULT_COPIES = Limits.DEFAULT_COPIES;

  static final int DEFAULT_FOOTERS = ParquetFooters.DEFAULT_IN_FLIGHT;
}
