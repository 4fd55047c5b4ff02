package dev.sluice.workflows.upstream;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Input of importing one table.
 *
 * @param team the team that owns the source
 * @param jobId id of the import
 * @param sourceType the source's kind as its enumeration spells it
 * @param prefix the team's prefix for this source; null when it has none
 * @param table the table
 */
public record ImportTableInput(
    long team, String jobId, String sourceType, @Nullable String prefix, UpstreamTable table) {

  /** Checks presence. */
  public ImportTableInput {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(sourceType, "sourceType");
    Objects.requireNonNull(table, "table");
  }
}
