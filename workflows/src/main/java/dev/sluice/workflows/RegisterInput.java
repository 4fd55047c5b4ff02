package dev.sluice.workflows;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Input of {@link RegisterWorkflow}. Callers use {@link #of}; the second component is how a run
 * hands over to the next one.
 *
 * @param trigger the generation to bring in
 * @param previous outcome of the run this one continues; null for a run a caller started
 */
public record RegisterInput(RegisterTrigger trigger, @Nullable RegisterResult previous) {

  /** Checks that there is a trigger. */
  public RegisterInput {
    Objects.requireNonNull(trigger, "trigger");
  }

  /** Returns the input of a run that continues none. */
  public static RegisterInput of(RegisterTrigger trigger) {
    return new RegisterInput(trigger, null);
  }
}
