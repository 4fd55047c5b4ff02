package dev.sluice.catalog.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.SnapshotChange.Kind;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogReaderTest {

  private static final String METADATA_SCHEMA = "Some Lake";

  @TempDir private Path folder;
  private PostgresDatabase database;
  private DuckLakeSession duckDb;
  private CountingDataSource dataSource;
  private CatalogReader reader;

  @BeforeEach
  void createLake() throws SQLException {
    DuckDbReferee.assumeAvailable();
    database = EmbeddedDatabase.shared().newDatabase();
    duckDb = DuckLakeSession.open();
    duckDb.attach(
        DuckLakeAttachment.of(database, folder.resolve("lake") + "/").inSchema(METADATA_SCHEMA));
    dataSource = new CountingDataSource(database.dataSource());
    reader = new CatalogReader(dataSource.proxied(), METADATA_SCHEMA);
  }

  @AfterEach
  void closeLake() throws SQLException {
    duckDb.close();
  }

  @Test
  @DisplayName("CLI-01: of snapshots with one time the highest id is taken")
  void cli01_equalTimesTakeTheHigherId() throws SQLException {
    for (int i = 0; i < 4; i++) {
      duckDb.execute("CREATE TABLE t%d(a INT)".formatted(i));
    }
    update(
        "UPDATE ducklake_snapshot SET snapshot_time = (SELECT snapshot_time FROM ducklake_snapshot"
            + " WHERE snapshot_id = 3) WHERE snapshot_id = 4");
    Instant time = reader.snapshot(3).time();
    for (int i = 0; i < 3; i++) {
      assertThat(reader.snapshotAt(time).id()).isEqualTo(4);
      assertThat(reader.snapshotAt(time.plusNanos(1_000)).id()).isEqualTo(4);
      assertThat(reader.snapshotAt(time.plusNanos(999)).id()).isEqualTo(4);
    }
    assertThat(reader.snapshotAt(time.minusNanos(1)).id()).isEqualTo(2);
  }

  @Test
  @DisplayName("CLI-02: a snapshot that is not there is an error that names those that are")
  void cli02_missingSnapshotsNameTheOnesThatExist() throws SQLException {
    duckDb.execute("CREATE TABLE t(a INT)");
    duckDb.execute("INSERT INTO t VALUES (1)");
    duckDb.execute("CALL ducklake_expire_snapshots('lake', versions => [0, 1])");
    for (long id : List.of(9999L, 0L)) {
      assertThatThrownBy(() -> reader.snapshot(id))
          .isInstanceOf(SnapshotNotFoundException.class)
          .hasMessageContaining("lake Some Lake: snapshot " + id + " does not exist")
          .hasMessageContaining("the lake has snapshots 2 (")
          .hasMessageContaining(") to 2 (");
    }
    Instant before = reader.latest().time().minusSeconds(60);
    assertThatThrownBy(() -> reader.snapshotAt(before))
        .isInstanceOf(SnapshotNotFoundException.class)
        .hasMessageContaining("there is no snapshot at " + before)
        .hasMessageContaining("ask for one of these");
  }

  @Test
  void snapshotsTellWhatTheyChanged() throws SQLException {
    duckDb.execute("CREATE TABLE \"a,b\"(a INT)");
    duckDb.execute("BEGIN");
    duckDb.execute("INSERT INTO \"a,b\" VALUES (1)");
    duckDb.execute("CALL lake.set_commit_message('me', 'why', extra_info => 'more')");
    duckDb.execute("COMMIT");
    List<SnapshotEntry> entries = reader.snapshots();
    assertThat(entries).hasSize(3);
    assertThat(entries.get(1).changes())
        .singleElement()
        .satisfies(
            change -> {
              assertThat(change.kind()).isEqualTo(Kind.CREATED_TABLE);
              assertThat(change.schema()).isEqualTo("main");
              assertThat(change.name()).isEqualTo("a,b");
            });
    SnapshotEntry insert = entries.get(2);
    assertThat(insert.snapshot()).isEqualTo(reader.latest());
    assertThat(insert.changes()).extracting("kind").containsExactly(Kind.INSERTED_INTO_TABLE);
    assertThat(insert.author()).isEqualTo("me");
    assertThat(insert.message()).isEqualTo("why");
    assertThat(insert.extraInfo()).isEqualTo("more");
  }

  @Test
  void aViewHasTheTablesAsDuckDbMadeThem() throws SQLException {
    duckDb.execute("CREATE SCHEMA \"Other\"");
    duckDb.execute(
        "CREATE TABLE \"Other\".\"T\"(id INT NOT NULL, s STRUCT(a INT, l VARCHAR[]), m MAP(VARCHAR,"
            + " DECIMAL(9,2)), ts TIMESTAMP)");
    duckDb.execute("ALTER TABLE \"Other\".\"T\" ADD COLUMN x INT DEFAULT 7");
    duckDb.execute("ALTER TABLE \"Other\".\"T\" SET PARTITIONED BY (year(ts), bucket(8, id), x)");
    duckDb.execute("COMMENT ON TABLE \"Other\".\"T\" IS 'the table'");
    duckDb.execute("COMMENT ON COLUMN \"Other\".\"T\".id IS 'the id'");
    CatalogView view = reader.view(reader.latest());
    Table table = view.table(new TableName("other", "t"));
    assertThat(table.name()).isEqualTo(new TableName("Other", "T"));
    assertThat(table.path()).isEqualTo(folder.resolve("lake") + "/Other/T/");
    assertThat(view.findTable(table.id())).contains(table);
    assertThat(view.findSchema("OTHER")).isPresent();
    assertThat(view.schemas()).extracting("name").containsExactly("main", "Other");
    assertThat(table.columns()).extracting(Column::name).containsExactly("id", "s", "m", "ts", "x");
    Column id = table.columns().get(0);
    assertThat(id.nulls()).isEqualTo(Nulls.FORBIDDEN);
    assertThat(id.defaultValue()).isNull();
    Column struct = table.columns().get(1);
    assertThat(struct.type()).isEqualTo(Nested.STRUCT);
    assertThat(struct.children()).extracting(Column::name).containsExactly("a", "l");
    assertThat(struct.children().get(1).children())
        .extracting(Column::name)
        .containsExactly("element");
    assertThat(table.columns().get(2).children())
        .extracting(Column::type)
        .containsExactly(Scalar.VARCHAR, new ColumnType.Decimal(9, 2));
    Column added = table.columns().get(4);
    assertThat(added.initialDefault()).isEqualTo("7");
    assertThat(added.defaultValue()).isEqualTo("7");
    assertThat(table.partitioning().keys())
        .containsExactly(
            new PartitionKey("ts", PartitionTransform.Simple.YEAR),
            new PartitionKey("id", new PartitionTransform.Bucket(8)),
            PartitionKey.identity("x"));
    assertThat(view.comment(table)).contains("the table");
    assertThat(view.columnComment(table, id.id())).contains("the id");
    assertThatThrownBy(() -> view.table(new TableName("other", "t2")))
        .isInstanceOf(TableNotFoundException.class)
        .hasMessageContaining("table other.t2: not in snapshot")
        .hasMessageContaining("similar names: Other.T");
  }

  @Test
  void aViewIsSaidToBeOne() throws SQLException {
    duckDb.execute("CREATE VIEW v AS SELECT 1 AS one");

    assertThatThrownBy(() -> reader.view(reader.latest()).table(new TableName("main", "v")))
        .isInstanceOf(TableNotFoundException.class)
        .hasMessageContaining("table main.v: is a view in snapshot 1")
        .hasMessageContaining("query it with SQL");
  }

  @Test
  void olderSnapshotsHaveTheirOwnTables() throws SQLException {
    duckDb.execute("CREATE TABLE t(a INT)");
    duckDb.execute("ALTER TABLE t RENAME COLUMN a TO b");
    duckDb.execute("ALTER TABLE t RENAME TO u");
    duckDb.execute("DROP TABLE u");
    assertThat(columns(1, "t")).containsExactly("a");
    assertThat(columns(2, "t")).containsExactly("b");
    assertThat(columns(3, "u")).containsExactly("b");
    assertThat(reader.view(reader.snapshot(3)).findTable(new TableName("main", "t"))).isEmpty();
    assertThat(reader.view(reader.latest()).tables()).isEmpty();
  }

  @Test
  @DisplayName("CLI-06: 5,000 tables are listed, and one described, with as many queries as one")
  void cli06_theNumberOfQueriesIsFixed() throws SQLException {
    duckDb.execute("CREATE TABLE t(a INT, s STRUCT(b INT))");
    int forOne = queriesToListAndDescribe("t", 1);
    update(
        """
        INSERT INTO ducklake_table
        SELECT 10000 + i, gen_random_uuid(), begin_snapshot, NULL, schema_id, 't' || i, 't' || i || '/', true
        FROM ducklake_table, generate_series(1, 4999) i""");
    update(
        """
        INSERT INTO ducklake_column
        SELECT c, begin_snapshot, NULL, 10000 + i, c, 'c' || c, 'int32', NULL, NULL, true, NULL, NULL, NULL
        FROM ducklake_table, generate_series(1, 4999) i, generate_series(1, 10) c WHERE table_name = 't'""");

    assertThat(queriesToListAndDescribe("t4999", 5_000)).isEqualTo(forOne).isLessThanOrEqualTo(25);
  }

  /** The statements of a reader that has just begun. */
  private int queriesToListAndDescribe(String name, int tables) {
    CatalogReader fresh = new CatalogReader(dataSource.proxied(), METADATA_SCHEMA);
    dataSource.reset();
    Snapshot snapshot = fresh.latest();
    CatalogView view = fresh.view(snapshot);
    assertThat(view.tables()).hasSize(tables);
    assertThat(fresh.totals(snapshot)).isEmpty();
    Table table = view.table(new TableName("main", name));
    assertThat(table.columns()).isNotEmpty();
    assertThat(fresh.plan(snapshot, table, Predicate.all()).files()).isEmpty();
    return dataSource.statements();
  }

  @Test
  void aSchemaVersionIsLoadedOnce() throws SQLException {
    duckDb.execute("CREATE TABLE t(a INT)");
    Snapshot created = reader.latest();
    duckDb.execute("INSERT INTO t VALUES (1)");
    Snapshot inserted = reader.latest();
    reader.view(created);
    dataSource.reset();
    assertThat(reader.view(inserted).snapshot()).isEqualTo(inserted);
    assertThat(dataSource.statements()).isZero();
  }

  @Test
  void aRestoredLakeIsReadAnew() throws SQLException {
    duckDb.execute("CREATE TABLE t(a INT)");
    duckDb.execute("INSERT INTO t VALUES (1)");
    assertThat(reader.view(reader.latest()).tables()).hasSize(1);
    // the backup was taken one snapshot earlier, and of this version the table is called otherwise
    update("DELETE FROM ducklake_snapshot WHERE snapshot_id = 2");
    update("UPDATE ducklake_table SET table_name = 'u'");

    assertThat(reader.view(reader.latest()).tables())
        .extracting(table -> table.name().table())
        .containsExactly("u");
  }

  @Test
  void optionsAreTheNarrowestOnes() throws SQLException {
    duckDb.execute("CREATE TABLE t(a INT)");
    duckDb.execute("CREATE TABLE u(a INT)");
    duckDb.execute("CALL lake.set_option('target_file_size', '1MB')");
    duckDb.execute("CALL lake.set_option('target_file_size', '2MB', table_name => 't')");
    LakeOptions options = reader.options();
    Table t = reader.view(reader.latest()).table(new TableName("main", "t"));
    Table u = reader.view(reader.latest()).table(new TableName("main", "u"));
    assertThat(options.find("version")).contains("1.0");
    assertThat(options.findForTable("target_file_size", 0, t.id())).contains("2000000");
    assertThat(options.findForTable("target_file_size", 0, u.id())).contains("1000000");
    assertThat(options.find("no_such_option")).isEmpty();
  }

  @Test
  void aPlanResolvesPathsAndDeletes() throws SQLException {
    duckDb.execute("CREATE TABLE t(a INT)");
    duckDb.execute("INSERT INTO t SELECT i FROM range(100) r(i)");
    duckDb.execute("DELETE FROM t WHERE a < 50");
    Snapshot snapshot = reader.latest();
    Table table = reader.view(snapshot).table(new TableName("main", "t"));
    ScanPlan plan = reader.plan(snapshot, table, Predicate.all());
    assertThat(plan.files())
        .singleElement()
        .satisfies(
            file -> {
              assertThat(file.path()).startsWith(table.path()).endsWith(".parquet");
              assertThat(Path.of(file.path())).hasSize(file.fileSizeBytes());
              assertThat(file.deleteFiles())
                  .singleElement()
                  .extracting("deleteCount")
                  .isEqualTo(50L);
              assertThat(file.isWhole()).isFalse();
            });
    assertThat(reader.plan(reader.snapshot(2), table, Predicate.all()).files())
        .singleElement()
        .matches(ScanFile::isWhole);
  }

  @Test
  void predicatesThatDoNotFitAreRefused() throws SQLException {
    duckDb.execute("CREATE TABLE t(a INT, s STRUCT(b INT), l INT[])");
    Snapshot snapshot = reader.latest();
    Table table = reader.view(snapshot).table(new TableName("main", "t"));
    Literal one = new Literal(Scalar.INT32, "1");
    assertThatThrownBy(
            () ->
                reader.plan(snapshot, table, Predicate.compare("x", Predicate.Operator.EQUAL, one)))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessage("table main.t: there is no column x; the columns there are a, s, l");
    assertThatThrownBy(
            () ->
                reader.plan(snapshot, table, Predicate.compare("l", Predicate.Operator.EQUAL, one)))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("table main.t: column l is a list and cannot be compared");
  }

  private List<String> columns(long snapshotId, String table) {
    return reader
        .view(reader.snapshot(snapshotId))
        .table(new TableName("main", table))
        .columns()
        .stream()
        .map(Column::name)
        .toList();
  }

  private void update(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET search_path TO \"" + METADATA_SCHEMA + "\"");
      statement.execute(sql);
    }
  }
}
