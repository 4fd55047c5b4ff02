package dev.sluice.workflows.upstream;

import java.util.List;

/**
 * Result of the sample upstream's materializations.
 *
 * @param copies how each model's trigger reached its workflow
 * @param notStarted what kept a copy from being started, a sentence for each
 */
public record DataModelingResult(List<ChildStart> copies, List<String> notStarted) {

  /** Copies the lists. */
  public DataModelingResult {
    copies = List.copyOf(copies);
    notStarted = List.copyOf(notStarted);
  }
}
