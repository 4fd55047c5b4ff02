package dev.sluice.workflows;

import java.util.List;

/**
 * Input of {@link ModelCopyWorkflow}. Callers use {@link #of}; the second component is how a run
 * hands over to the next one.
 *
 * @param models what to copy, one after another; none ends the run at once
 * @param previous what became of the models of the run that this one continues; empty for a run
 *     that a caller started
 */
public record ModelCopyInput(List<RegisterTrigger> models, List<ModelResult> previous) {

  /** Copies the lists; reads what a payload leaves out as empty. */
  public ModelCopyInput {
    models = models == null ? List.of() : List.copyOf(models);
    previous = previous == null ? List.of() : List.copyOf(previous);
  }

  /** Returns the input of a run that continues none. */
  public static ModelCopyInput of(List<RegisterTrigger> models) {
    return new ModelCopyInput(models, List.of());
  }
}
