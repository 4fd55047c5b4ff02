package dev.sluice.workflows.activity;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * Makes a verified generation the live content of its table, in one catalog commit. Safe to repeat
 * and to be late: the first action is the look-up of the attempt's key under the lake's lock, and
 * the fence refuses what has been overtaken.
 */
@ActivityInterface
public interface PublishActivities {

  /**
   * Publishes, or tells that a newer generation is published already.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code CommitOutcomeUnknown} and {@code
   *     CatalogBusy}, which are retried; {@code LogicalConflict}, {@code ForeignContent}, {@code
   *     SchemaMismatch}, {@code BadSource}, {@code AttemptFenced}, which are not
   */
  @ActivityMethod(name = "publish")
  PublishResult publish(StageInput input);
}
