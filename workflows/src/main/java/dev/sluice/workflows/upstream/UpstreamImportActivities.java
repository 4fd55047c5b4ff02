package dev.sluice.workflows.upstream;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** What the sample upstream does outside of its workflow. */
@ActivityInterface
public interface UpstreamImportActivities {

  /**
   * Imports one table into a new prepared folder, complete when this returns. Repeated for the same
   * job it may make another folder; only the returned one counts.
   */
  @ActivityMethod(name = "import-table")
  ImportedTable importTable(ImportTableInput input);
}
