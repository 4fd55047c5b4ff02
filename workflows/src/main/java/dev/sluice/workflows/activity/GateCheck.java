package dev.sluice.workflows.activity;

import dev.sluice.workflows.RegisterTrigger;
import java.util.Objects;

/**
 * Input of the gate.
 *
 * @param path the path that wants to run
 * @param trigger what it wants to run
 */
public record GateCheck(WorkflowPath path, RegisterTrigger trigger) {

  /** Checks presence. */
  public GateCheck {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(trigger, "trigger");
  }
}
