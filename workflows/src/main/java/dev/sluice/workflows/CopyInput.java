package dev.sluice.workflows;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Input of {@link CopyWorkflow}. Callers use {@link #of}; the second component is how a run hands
 * over to the next one.
 *
 * @param triggers what to copy, in practice one; the first is the run's own, others are handed on
 *     to the workflows of their sources, and none ends the run at once
 * @param previous outcome of the run this one continues; null for a run a caller started
 */
public record CopyInput(List<RegisterTrigger> triggers, @Nullable RegisterResult previous) {

  /** Copies the list. */
  public CopyInput {
    triggers = List.copyOf(triggers);
  }

  /** Returns the input of a run that continues one that has ended. */
  public static CopyInput following(RegisterTrigger trigger, RegisterResult previous) {
    return new CopyInput(List.of(trigger), previous);
  }

  /** Returns the input of a run that continues none. */
  public static CopyInput of(RegisterTrigger... triggers) {
    return new CopyInput(List.of(triggers), null);
  }
}
