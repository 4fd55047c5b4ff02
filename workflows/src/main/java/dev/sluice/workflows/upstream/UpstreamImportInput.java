package dev.sluice.workflows.upstream;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Input of the sample upstream import.
 *
 * @param team the team that owns the source
 * @param jobId id of this import
 * @param sourceType the source's kind as its enumeration spells it
 * @param prefix the team's prefix for this source; null when it has none
 * @param tables the tables to import, a thousand at most
 * @param lake the lake to publish into; null for the one the team is provisioned in
 * @param options name of a set of per-source options known to the worker; null for its defaults
 * @param registerTaskQueue queue of Sluice's workers; null for the usual one
 */
public record UpstreamImportInput(
    long team,
    String jobId,
    String sourceType,
    @Nullable String prefix,
    List<UpstreamTable> tables,
    @Nullable String lake,
    @Nullable String options,
    @Nullable String registerTaskQueue) {

  /** Checks presence and copies the list. */
  public UpstreamImportInput {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(sourceType, "sourceType");
    tables = List.copyOf(tables);
  }
}
