package dev.sluice.activities.lake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.LakeScanner;
import dev.sluice.activities.query.LocalDataFiles;
import dev.sluice.activities.query.ScanRequest;
import dev.sluice.activities.query.ScanRows;
import dev.sluice.activities.query.Sql;
import dev.sluice.activities.query.SqlType;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.read.SnapshotEntry;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A lake in a local folder that we and an attached DuckDB write in turns, and both read. */
final class WriteLake implements AutoCloseable {

  final PostgresDatabase database;
  final Path folder;
  final DuckLakeSession duckDb;
  final Catalog catalog;
  final LakeTables tables;
  private final ObjectStores stores;

  private WriteLake(
      PostgresDatabase database, Path folder, DuckLakeSession duckDb, Catalog catalog) {
    this.database = database;
    this.folder = folder;
    this.duckDb = duckDb;
    this.catalog = catalog;
    this.stores = ObjectStores.localOnly();
    this.tables =
        new LakeTables(catalog, store(), files(), WriteSettings.in(folder.resolve("write")));
  }

  /** A lake of ours: nobody inlines. */
  static WriteLake own(Path folder) throws SQLException {
    DuckDbReferee.assumeAvailable();
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    Catalog catalog = Catalog.create(database.dataSource(), "public", folder + "/lake");
    DuckLakeSession duckDb = DuckLakeSession.open().attach(DuckLakeAttachment.existing(database));
    return new WriteLake(database, folder, duckDb, catalog);
  }

  /** A lake as stock DuckDB makes one: its small inserts and deletes stay in the catalog. */
  static WriteLake ofDuckDb(Path folder) throws SQLException {
    DuckDbReferee.assumeAvailable();
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    DuckLakeSession duckDb = DuckLakeSession.open();
    duckDb.attach(DuckLakeAttachment.of(database, folder + "/lake/").withDefaultInlining());
    Catalog catalog = Catalog.adopt(database.dataSource(), "public");
    return new WriteLake(database, folder, duckDb, catalog);
  }

  ObjectStore store() {
    return stores.open(StorageLocation.parse(folder + "/lake"));
  }

  DataFiles files() {
    return new LocalDataFiles(folder.resolve("links"));
  }

  /** Runs statements in DuckDB, each a transaction of its own. */
  void run(String... statements) throws SQLException {
    for (String statement : statements) {
      duckDb.execute(statement);
    }
  }

  void commit(Change... changes) {
    catalog.commit(CommitRequest.of("test", new Base.Newest(), List.of(changes)));
  }

  void create(TableName name, ColumnSpec... columns) {
    commit(
        new Change.CreateSchema(name.schema(), IfExists.KEEP),
        new Change.CreateTable(name, List.of(columns), List.of(), IfExists.REFUSE));
  }

  /** Inserts texts, columns by name. */
  WriteResult insert(TableName table, List<String> columns, List<List<@Nullable String>> rows) {
    return tables.insert(InsertRequest.of(table, new RowSource.Values(columns, rows)));
  }

  WriteResult insert(TableName table, String select) {
    return tables.insert(InsertRequest.of(table, new RowSource.Select(select)));
  }

  static List<@Nullable String> row(@Nullable String... values) {
    return Arrays.asList(values);
  }

  long newest() {
    return catalog.reader().latest().id();
  }

  /** What DuckDB reads. */
  List<List<@Nullable String>> rows(String sql) throws SQLException {
    return duckDb.queryText(sql);
  }

  @Nullable String value(String sql) throws SQLException {
    return duckDb.valueText(sql);
  }

  /** Every table at every snapshot: DuckDB's rows are those of our own scan. */
  void assertAgreesEverywhere() throws SQLException {
    assertAgreesEverywhere("");
  }

  /**
   * The same.
   *
   * @param story what happened before, for the message
   */
  void assertAgreesEverywhere(String story) throws SQLException {
    LakeScanner scanner = new LakeScanner(catalog.reader(), files());
    for (SnapshotEntry entry : catalog.reader().snapshots()) {
      for (Table table : catalog.reader().view(entry.snapshot()).tables()) {
        String from =
            "lake.%s.%s AT (VERSION => %d)"
                .formatted(
                    Sql.identifier(table.name().schema()),
                    Sql.identifier(table.name().table()),
                    entry.snapshot().id());
        String context = table.name() + " at snapshot " + entry.snapshot().id() + " " + story;
        List<List<@Nullable String>> ours = new ArrayList<>();
        try (ScanRows scan = scanner.scan(ScanRequest.all(table.name(), entry.snapshot()))) {
          while (scan.next()) {
            ours.add(scan.row());
          }
        }
        assertThat(ours)
            .as(context)
            .containsExactlyInAnyOrderElementsOf(rows("SELECT " + shown(table) + " FROM " + from));
        assertThat(value("SELECT count(*) FROM " + from))
            .as("count of " + context)
            .isEqualTo(Integer.toString(ours.size()));
      }
    }
  }

  private static String shown(Table table) {
    return table.columns().stream()
        .map(
            column ->
                SqlType.of(column).equals("BLOB")
                    ? "hex(" + Sql.identifier(column.name()) + ")"
                    : Sql.identifier(column.name()))
        .collect(Collectors.joining(", "));
  }

  /** Objects below the lake's folder, staging included. */
  List<String> objects() throws IOException {
    Path root = folder.resolve("lake");
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .toList();
    }
  }

  @Override
  public void close() throws SQLException {
    duckDb.close();
    stores.close();
  }
}
