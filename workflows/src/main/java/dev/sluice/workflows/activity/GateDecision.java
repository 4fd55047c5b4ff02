package dev.sluice.workflows.activity;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Answer of the gate.
 *
 * @param closedReason why nothing may run; null when the gate is open
 */
public record GateDecision(@Nullable String closedReason) {

  /** Returns an open gate. */
  public static GateDecision open() {
    return new GateDecision(null);
  }

  /** Returns a gate closed for the given reason. */
  public static GateDecision closed(String reason) {
    return new GateDecision(Objects.requireNonNull(reason, "reason"));
  }
}
