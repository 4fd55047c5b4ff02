package dev.sluice.workflows.upstream;

import java.util.List;

/**
 * Result of the sample upstream import.
 *
 * @param registrations how each table's trigger reached its workflow, in the order of the tables
 */
public record UpstreamImportResult(List<ChildStart> registrations) {

  /** Copies the list. */
  public UpstreamImportResult {
    registrations = List.copyOf(registrations);
  }
}
