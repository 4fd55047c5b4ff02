package dev.sluice.worker.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.Migrations;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Catalog;
import javax.sql.DataSource;

/**
 * The lake that one of our paths fills, with the tables of the home database beside it.
 *
 * @param store where its files go
 * @param state both parts of Sluice's state
 * @param pool the connections of catalog and state, closed with this
 */
record OurLake(Catalog catalog, ObjectStore store, StateDatabase state, HikariDataSource pool)
    implements AutoCloseable {

  static final String METADATA_SCHEMA = "public";
  private static final int CONNECTIONS = 4;

  /** Makes it in a stack that has none. */
  static OurLake make(BenchStack stack) {
    ObjectStore store = stack.stores().open(stack.location("our-lake"));
    DataSource direct = stack.database(BenchStack.OURS).dataSource();
    Migrations.migrate(Migrations.Part.HOME, BenchStack.OURS, direct);
    Catalog.create(direct, METADATA_SCHEMA, store.location().uri());
    HikariDataSource pool = stack.database(BenchStack.OURS).dataSource(CONNECTIONS);
    try {
      return new OurLake(
          Catalog.open(pool, METADATA_SCHEMA),
          store,
          new StateDatabase("benchmark database", pool),
          pool);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
