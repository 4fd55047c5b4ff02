package dev.sluice.workflows.activity;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Makes verified generations of several tables visible in one catalog commit. Safe to repeat. */
@ActivityInterface
public interface PublishSetActivities {

  /**
   * Publishes all members, or none.
   *
   * @throws io.temporal.failure.ApplicationFailure as {@link PublishActivities#publish}
   */
  @ActivityMethod(name = "publishSet")
  PublishedSet publishSet(SetPublishing input);
}
