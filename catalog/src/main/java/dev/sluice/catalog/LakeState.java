package dev.sluice.catalog;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * The tables that Sluice keeps beside a lake, in schema {@code sluice} of the lake's database:
 * commit log, publications, fences, landing ledger, pins.
 */
public final class LakeState {

  /** The schema of Sluice's own tables. */
  public static final String SCHEMA = "sluice";

  private static final String HISTORY_TABLE = "lake_state_history";
  private static final String LOCATION = "classpath:dev/sluice/catalog/migration";

  private LakeState() {}

  /**
   * Brings the tables to this program's version. Needs a direct connection (session locks), not a
   * pooler in transaction mode. Harmless to repeat and to run at the same time elsewhere.
   */
  public static void migrate(DataSource directConnections) {
    flyway(directConnections).load().migrate();
  }

  private static FluentConfiguration flyway(DataSource dataSource) {
    return Flyway.configure(LakeState.class.getClassLoader())
        .dataSource(dataSource)
        .locations(LOCATION)
        .defaultSchema(SCHEMA)
        .createSchemas(true)
        .table(HISTORY_TABLE)
        // the home tables may have made the schema before
        .baselineOnMigrate(true)
        .baselineVersion("0");
  }
}
