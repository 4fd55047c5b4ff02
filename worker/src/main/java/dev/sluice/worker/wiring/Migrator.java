package dev.sluice.worker.wiring;

import dev.sluice.activities.jobs.Migrations;
import dev.sluice.catalog.Catalog;
import dev.sluice.worker.config.LakeSettings;
import dev.sluice.worker.config.Mode;
import dev.sluice.worker.config.ProvisionedState;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Brings the databases to this program's version: Sluice's tables in the home database and beside
 * every lake; a lake that is missing is made. Harmless to repeat. Needs direct connections.
 */
public final class Migrator {

  private final Connections connections;

  /** Migrates what these connections lead to. */
  public Migrator(Connections connections) {
    this.connections = connections;
  }

  /**
   * Migrates, and writes down what is configured.
   *
   * @return what was done, a sentence per database
   */
  public List<String> migrate() {
    List<String> done = new ArrayList<>();
    DataSource home = connections.homeDatabase();
    String homeName = connections.home().database().name();
    Migrations.migrate(Migrations.Part.HOME, homeName, home);
    done.add(homeName + ": version " + Migrations.Part.HOME.version());
    for (LakeSettings lake : connections.configuration().lakes().values()) {
      done.add(migrate(lake));
    }
    new ProvisionedState(connections.home().provisioning(), connections.home().names())
        .write(connections.configuration());
    return done;
  }

  private String migrate(LakeSettings lake) {
    if (connections.configuration().mode() == Mode.DEVELOPMENT) {
      connections.stores(lake).createRootIfMissing(lake.storage().dataPath());
    }
    DataSource database = connections.lakeDatabase(lake);
    String name = "lake " + lake.name() + " at " + lake.database().address();
    if (Catalog.exists(database, lake.metadataSchema())) {
      Catalog.adopt(database, lake.metadataSchema());
      return name + ": version " + Migrations.Part.LAKE.version();
    }
    Catalog.create(database, lake.metadataSchema(), lake.storage().dataPath().uri());
    return name + ": created, version " + Migrations.Part.LAKE.version();
  }
}
