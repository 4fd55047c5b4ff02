package dev.sluice.activities.jobs;

import dev.sluice.workflows.naming.NamingPolicy;

/** What the naming rules propose for a source's table. Stateless. */
public final class ProposedName {
  private ProposedName() {}

  /**
   * The schema a team's sources of that kind publish to.
   *
   * @param team the team
   * @param kind what the source is
   */
  public static String schema(Provisioning.Team team, Provisioning.SourceKind kind) {
    return switch (kind) {
      case IMPORT -> team.importsSchema();
      case MODEL -> team.modelingSchema();
    };
  }

  /**
   * The table of a source under a policy.
   *
   * @throws dev.sluice.workflows.naming.InvalidNameException when nothing is left to make a name of
   */
  public static String table(NamingPolicy policy, Provisioning.Source source) {
    return switch (source.kind()) {
      case IMPORT -> policy.importTable(source.sourceType(), source.prefix(), source.table());
      case MODEL -> policy.modelTable(source.table(), source.prefix());
    };
  }
}
