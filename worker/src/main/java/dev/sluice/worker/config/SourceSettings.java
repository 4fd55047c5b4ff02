package dev.sluice.worker.config;

import dev.sluice.activities.jobs.SourceRef;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One source.
 *
 * @param name its name in the configuration
 * @param ref team and source schema id
 * @param type kind of the source as its enumeration spells it
 * @param prefix the team's prefix; empty for none
 * @param table normalized name of the source table
 * @param folder where its prepared folders are; null for the upstream's own layout
 * @param options how its generations may differ
 */
public record SourceSettings(
    String name,
    SourceRef ref,
    String type,
    String prefix,
    String table,
    @Nullable String folder,
    SourceOptions options) {

  /** Checks presence. */
  public SourceSettings {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(ref, "ref");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(prefix, "prefix");
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(options, "options");
  }
}
