package dev.sluice.activities.jobs;

import dev.sluice.catalog.LakeState;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * The versions of Sluice's state. Migrating needs a direct connection (it takes session locks);
 * checking works through a pooler in transaction mode. Both parts may live in one database: each
 * has a history of its own in schema {@code sluice}. Stateless.
 */
public final class Migrations {
  private static final String SCHEMA = "sluice";

  private Migrations() {}

  /** One of the two places that hold state. */
  public enum Part {
    /** The home database. */
    HOME("home_state_history", 5),
    /** What is kept beside a lake. */
    LAKE("lake_state_history", 5);

    private final String historyTable;
    private final int version;

    Part(String historyTable, int version) {
      this.historyTable = historyTable;
      this.version = version;
    }

    /** The version this program works with. */
    public int version() {
      return version;
    }
  }

  /**
   * Brings the part to this program's version; does nothing when it is there.
   *
   * @param database how errors call the database
   * @param connections direct connections, not through a pooler
   * @throws StateException of kind {@code NOT_MIGRATED} when one fails; it is rolled back
   */
  public static void migrate(Part part, String database, DataSource connections) {
    try {
      switch (part) {
        case HOME -> homeFlyway(connections).migrate();
        case LAKE -> LakeState.migrate(connections);
      }
    } catch (FlywayException e) {
      throw StateErrors.migrationFailed(database, e);
    }
  }

  /**
   * Checks that the part has exactly this program's version.
   *
   * @throws StateException of kind {@code NOT_MIGRATED}, whose message names the command to run, or
   *     {@code UNAVAILABLE}
   */
  public static void checkVersion(Part part, StateDatabase database) {
    Objects.requireNonNull(part, "part");
    Optional<Integer> found = database.read(dsl -> findVersion(part, dsl));
    if (found.isEmpty()) {
      throw StateErrors.notMigrated(database.name(), "it has no tables of Sluice");
    }
    int version = found.get();
    if (version > part.version) {
      throw StateErrors.newerThanThis(database.name(), version, part.version);
    }
    if (version < part.version) {
      throw StateErrors.notMigrated(
          database.name(),
          "its state has version " + version + ", required is version " + part.version);
    }
  }

  private static Optional<Integer> findVersion(Part part, DSLContext dsl) {
    String history = SCHEMA + "." + part.historyTable;
    Record there = dsl.fetchSingle("SELECT to_regclass(?) IS NOT NULL AS there", history);
    if (!Boolean.TRUE.equals(there.get("there", Boolean.class))) {
      return Optional.empty();
    }
    // The name is a constant of this class; names cannot be bound.
    return Optional.ofNullable(
        dsl.fetchSingle(
                "SELECT max(CAST(version AS integer)) AS version FROM "
                    + history
                    + " WHERE success AND type = 'SQL'")
            .get("version", Integer.class));
  }

  private static Flyway homeFlyway(DataSource connections) {
    return Flyway.configure(Migrations.class.getClassLoader())
        .dataSource(connections)
        .defaultSchema(SCHEMA)
        .schemas(SCHEMA)
        .table(Part.HOME.historyTable)
        .locations("classpath:dev/sluice/activities/jobs/migration")
        .placeholderReplacement(false)
        // The lake part may have made the schema before: version 0 says "nothing of this part".
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load();
  }
}
