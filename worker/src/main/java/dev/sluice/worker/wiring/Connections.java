package dev.sluice.worker.wiring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.ErrorText;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.lake.LakeTables;
import dev.sluice.activities.lake.WriteSettings;
import dev.sluice.activities.query.ChangeFeed;
import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.FileProbe;
import dev.sluice.activities.query.LakeScanner;
import dev.sluice.activities.query.LakeSql;
import dev.sluice.activities.query.ParquetExport;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.S3Settings;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.storage.TemporaryFolder;
import dev.sluice.activities.temporal.LakeAccess;
import dev.sluice.activities.temporal.Lakes;
import dev.sluice.catalog.Catalog;
import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.config.DatabaseSettings;
import dev.sluice.worker.config.LakeSettings;
import dev.sluice.worker.config.LimitSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a process of ours connects to, by its configuration: the home database, the lakes with their
 * databases and object stores, the sources' object stores. Everything is opened when first used,
 * and closed with this. Thread-safe.
 */
public final class Connections implements Lakes, AutoCloseable {

  /** A person waits for a command; a server that is there answers in milliseconds. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** What a scan keeps of a lake's files on this machine. */
  private static final long CACHE_BYTES = 2L << 30;

  private final Configuration config;
  private final Map<DatabaseSettings, HikariDataSource> pools = new HashMap<>();
  private final Map<S3Settings, ObjectStores> stores = new HashMap<>();
  private final Map<String, LakeAccess> lakes = new ConcurrentHashMap<>();
  private final Map<String, DataFiles> files = new HashMap<>();
  private final Map<String, TemporaryFolder> caches = new HashMap<>();
  private final HomeStores home;

  private Connections(Configuration config) {
    this.config = config;
    this.home =
        HomeStores.over(
            new StateDatabase("home database " + config.home().address(), pool(config.home())),
            new ErrorText(config.secretsToRedact()));
  }

  /** Makes the connections of a configuration; nothing is contacted yet. */
  public static Connections of(Configuration config) {
    return new Connections(config);
  }

  /** The configuration. */
  public Configuration configuration() {
    return config;
  }

  /** The stores of the home database. */
  public HomeStores home() {
    return home;
  }

  /** Connections to the home database. */
  DataSource homeDatabase() {
    return pool(config.home());
  }

  /** Connections to a lake's database. */
  DataSource lakeDatabase(LakeSettings lake) {
    return pool(lake.database());
  }

  /** The stores of a lake's endpoint. */
  synchronized ObjectStores stores(LakeSettings lake) {
    LimitSettings limits = config.limits();
    // no activity alone shall have to wait for a connection
    int connections =
        Math.max(S3Settings.DEFAULT_MAX_CONNECTIONS, Math.max(limits.copies(), limits.footers()));
    return stores.computeIfAbsent(
        lake.storage().s3().withMaxConnections(connections), ObjectStores::connect);
  }

  /** A store that is reached as a lake's files are. */
  public ObjectStore store(String lake, StorageLocation location) {
    return stores(configured(lake)).open(location);
  }

  /** A lake that is open never waits for the database of another that cannot be reached. */
  @Override
  public LakeAccess require(String name) {
    LakeAccess open = lakes.get(name);
    return open == null ? lakes.computeIfAbsent(name, each -> open(configured(each))) : open;
  }

  /** The lake of that name, or the first of the configuration when none is named. */
  public String lakeOrFirst(@Nullable String name) {
    return name == null ? config.lakes().keySet().iterator().next() : configured(name).name();
  }

  /** Writes a lake's tables. */
  public LakeTables tables(String name) {
    LakeAccess lake = require(name);
    LakeSettings settings = configured(name);
    synchronized (this) {
      return new LakeTables(
          lake.catalog(),
          lake.store(),
          files(settings, lake.store()),
          WriteSettings.in(folder(name + " writes"), config.writes()));
    }
  }

  /** Scans a lake's tables. */
  public LakeScanner scanner(String name) {
    LakeAccess lake = require(name);
    return new LakeScanner(lake.catalog().reader(), files(configured(name), lake.store()));
  }

  /** Tells the changes of a lake's tables. */
  public ChangeFeed changeFeed(String name) {
    LakeAccess lake = require(name);
    return new ChangeFeed(lake.catalog().reader(), files(configured(name), lake.store()));
  }

  /** Answers queries over a lake's tables. */
  public LakeSql sql(String name) {
    LakeAccess lake = require(name);
    return new LakeSql(lake.catalog().reader(), files(configured(name), lake.store()));
  }

  /** Writes rows of a lake's tables into Parquet files. */
  public ParquetExport parquetExport(String name) {
    LakeAccess lake = require(name);
    return new ParquetExport(lake.catalog().reader(), files(configured(name), lake.store()));
  }

  /** The settings of a lake; refused when there is none of that name. */
  LakeSettings configured(String name) {
    LakeSettings lake = config.lakes().get(name);
    if (lake == null) {
      throw WiringErrors.noLake(name, config.lakes().keySet());
    }
    return lake;
  }

  private LakeAccess open(LakeSettings lake) {
    DataSource database = pool(lake.database());
    ObjectStore store = stores(lake).open(lake.storage().dataPath());
    return new LakeAccess(
        lake.name(),
        Catalog.open(database, lake.metadataSchema()),
        store,
        new StateDatabase("lake " + lake.name() + " at " + lake.database().address(), database),
        new FileProbe(files(lake, store)));
  }

  /** The data files of a lake that was opened here. */
  DataFiles files(LakeAccess lake) {
    return files(configured(lake.name()), lake.store());
  }

  private synchronized DataFiles files(LakeSettings lake, ObjectStore store) {
    return files.computeIfAbsent(
        lake.name(), name -> DataFiles.of(store, folder(name), CACHE_BYTES));
  }

  private Path folder(String lake) {
    return caches.computeIfAbsent(lake, name -> TemporaryFolder.create()).path();
  }

  private synchronized HikariDataSource pool(DatabaseSettings database) {
    return pools.computeIfAbsent(
        database,
        each -> {
          HikariConfig settings = new HikariConfig();
          settings.setJdbcUrl(each.jdbcUrl());
          settings.setUsername(each.user());
          settings.setPassword(each.password().reveal());
          settings.setMaximumPoolSize(each.poolSize());
          settings.setMinimumIdle(0);
          settings.setConnectionTimeout(CONNECT_TIMEOUT.toMillis());
          // What is unreachable shows when it is used, with that use's own error.
          settings.setInitializationFailTimeout(-1);
          settings.setPoolName("sluice-" + each.name());
          return new HikariDataSource(settings);
        });
  }

  @Override
  public synchronized void close() {
    stores.values().forEach(ObjectStores::close);
    pools.values().forEach(HikariDataSource::close);
    caches.values().forEach(TemporaryFolder::close);
  }
}
