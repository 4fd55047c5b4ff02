package dev.sluice.workflows.upstream;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** What the sample upstream's materializations do outside of their workflow. */
@ActivityInterface
public interface DataModelingActivities {

  /**
   * Materializes one query into its Delta table, complete when this returns. Repeated for the same
   * job it may make another version; only the returned one counts.
   */
  @ActivityMethod(name = "materialize-model")
  MaterializedModel materialize(MaterializeModelInput input);
}
