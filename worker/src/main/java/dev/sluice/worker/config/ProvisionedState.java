package dev.sluice.worker.config;

import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.TableNames;
import java.util.Objects;

/** Writes what is configured into the home database, at start. Safe to repeat. */
public final class ProvisionedState {
  private final Provisioning provisioning;
  private final TableNames names;

  /** Writes through these stores. */
  public ProvisionedState(Provisioning provisioning, TableNames names) {
    this.provisioning = Objects.requireNonNull(provisioning, "provisioning");
    this.names = Objects.requireNonNull(names, "names");
  }

  /**
   * Writes lakes, teams and sources, and claims every source's table.
   *
   * @throws dev.sluice.activities.jobs.StateException of kind {@code NAME_TAKEN} when a table
   *     belongs to a source that the configuration does not have any more, or a source had another
   *     table
   */
  public void write(Configuration configuration) {
    for (LakeSettings lake : configuration.lakes().values()) {
      provisioning.put(
          new Provisioning.Lake(
              lake.name(),
              lake.metadataSchema(),
              lake.database().address(),
              lake.storage().dataPath().uri()));
    }
    for (TeamSettings team : configuration.teams().values()) {
      provisioning.put(
          new Provisioning.Team(
              team.id(),
              team.lake(),
              team.naming().id(),
              team.importsSchema(),
              team.modelingSchema()));
    }
    for (SourceSettings source : configuration.sources().values()) {
      names.assign(
          source.ref(),
          configuration.target(source),
          configuration.team(source.ref().team()).naming().id());
      provisioning.put(
          new Provisioning.Source(
              source.ref(), source.type(), source.prefix(), source.table(), source.folder()));
    }
  }
}
