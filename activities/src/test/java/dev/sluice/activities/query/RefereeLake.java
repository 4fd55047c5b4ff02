package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.CatalogView;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.SnapshotEntry;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A lake in a local folder that real DuckDB writes and both read. */
final class RefereeLake implements AutoCloseable {

  private final PostgresDatabase database;
  private final DuckLakeSession duckDb;
  private final CatalogReader catalog;
  private final LakeScanner scanner;
  private final ChangeFeed changeFeed;
  private final LakeSql sql;

  private RefereeLake(PostgresDatabase database, Path folder, DuckLakeSession duckDb) {
    this.database = database;
    this.duckDb = duckDb;
    this.catalog = new CatalogReader(database.dataSource(), "public");
    DataFiles files = new LocalDataFiles(folder.resolve("links"));
    this.scanner = new LakeScanner(catalog, files);
    this.changeFeed = new ChangeFeed(catalog, files);
    this.sql = new LakeSql(catalog, files);
  }

  /** A new lake as stock DuckDB makes one: small inserts and deletes stay in the catalog. */
  static RefereeLake create(Path folder) throws SQLException {
    DuckDbReferee.assumeAvailable();
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    DuckLakeSession duckDb = DuckLakeSession.open();
    duckDb.attach(
        DuckLakeAttachment.of(database, folder.resolve("lake") + "/").withDefaultInlining());
    return new RefereeLake(database, folder, duckDb);
  }

  DuckLakeSession duckDb() {
    return duckDb;
  }

  CatalogReader catalog() {
    return catalog;
  }

  LakeScanner scanner() {
    return scanner;
  }

  ChangeFeed changeFeed() {
    return changeFeed;
  }

  LakeSql sql() {
    return sql;
  }

  /** Runs statements in DuckDB, each a transaction of its own. */
  void run(String... statements) throws SQLException {
    for (String statement : statements) {
      duckDb.execute(statement);
    }
  }

  /** From now on DuckDB writes files only. */
  void stopInlining() throws SQLException {
    run("CALL lake.set_option('data_inlining_row_limit', 0)");
  }

  /** Changes catalog rows directly. */
  void updateCatalog(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  List<List<@Nullable String>> scan(String table) {
    return scan(ScanRequest.all(new TableName("main", table), catalog.latest()));
  }

  List<List<@Nullable String>> scan(ScanRequest request) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (ScanRows scan = scanner.scan(request)) {
      while (scan.next()) {
        rows.add(scan.row());
      }
    }
    return rows;
  }

  /** Every table at every snapshot: the same rows and the same count as DuckDB. */
  void assertAgreesEverywhere() throws SQLException {
    for (SnapshotEntry entry : catalog.snapshots()) {
      CatalogView view = catalog.view(entry.snapshot());
      for (Table table : view.tables()) {
        assertAgrees(table, entry.snapshot());
      }
    }
  }

  private void assertAgrees(Table table, Snapshot snapshot) throws SQLException {
    String context = table.name() + " at snapshot " + snapshot.id();
    ScanRequest all = ScanRequest.all(table.name(), snapshot);
    List<List<@Nullable String>> expected =
        duckDb.queryText("SELECT " + shown(table) + " FROM " + at(table, snapshot));
    assertThat(scan(all)).as(context).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(scanner.count(all)).as("count of " + context).isEqualTo(expected.size());
  }

  /** Rows that match, in both readers. */
  void assertAgrees(String tableName, Predicate predicate) throws SQLException {
    Snapshot snapshot = catalog.latest();
    Table table = catalog.view(snapshot).table(new TableName("main", tableName));
    String condition = new PredicateSql(table).of(predicate);
    String renamed =
        table.columns().stream()
            .map(column -> Sql.identifier(column.name()) + " AS " + ColumnNames.of(column))
            .collect(Collectors.joining(", "));
    List<List<@Nullable String>> expected =
        duckDb.queryText(
            "SELECT * FROM (SELECT %s FROM %s) WHERE %s"
                .formatted(renamed, at(table, snapshot), condition));
    ScanRequest request = ScanRequest.all(table.name(), snapshot).where(predicate);
    assertThat(scan(request)).as(condition).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(scanner.count(request)).as(condition).isEqualTo(expected.size());
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

  private static String at(Table table, Snapshot snapshot) {
    return "lake.%s.%s AT (VERSION => %d)"
        .formatted(
            Sql.identifier(table.name().schema()),
            Sql.identifier(table.name().table()),
            snapshot.id());
  }

  @Override
  public void close() throws SQLException {
    duckDb.close();
  }
}
