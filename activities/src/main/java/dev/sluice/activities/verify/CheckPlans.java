package dev.sluice.activities.verify;

import dev.sluice.catalog.TableName;

/** Says what is checked of which table. Thread-safe. */
@FunctionalInterface
public interface CheckPlans {

  /** What is checked of a table that a source publishes to. */
  CheckPlan of(TableName table, String sourceId);
}
