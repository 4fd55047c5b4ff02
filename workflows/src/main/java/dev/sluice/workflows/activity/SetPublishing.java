package dev.sluice.workflows.activity;

import java.util.List;

/**
 * Input of publishing a set.
 *
 * @param members verified attempts of different tables of one lake, at least one
 */
public record SetPublishing(List<StageInput> members) {

  /** Copies the list. */
  public SetPublishing {
    members = List.copyOf(members);
    if (members.isEmpty()) {
      throw new IllegalArgumentException("a set to publish has no member");
    }
  }
}
