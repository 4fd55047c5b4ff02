package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same operation through DuckDB and through us, in two databases: the catalog rows must be the
 * same but for the columns listed in docs/reference/catalog-differences.md.
 */
class OperationsComparisonTest {

  private static final TableName NAME = new TableName("s", "t");
  private static final TableRef TABLE = TableRef.name("s", "t");
  private static final List<ColumnSpec> COLUMNS =
      List.of(ColumnSpec.of("id", Scalar.INT32), ColumnSpec.of("v", Scalar.VARCHAR));

  @TempDir Path folder;
  private TwoLakes lakes;

  @BeforeEach
  void makeTwoLakes() throws SQLException {
    lakes = TwoLakes.create(folder);
  }

  @AfterEach
  void closeLakes() throws SQLException {
    lakes.close();
  }

  private static ColumnSpec of(String name, Scalar type) {
    return ColumnSpec.of(name, type);
  }

  private void createTable() throws SQLException {
    lakes.same("CREATE SCHEMA s", new Change.CreateSchema("s", IfExists.REFUSE));
    lakes.same(
        "CREATE TABLE s.t (id INTEGER, v VARCHAR)",
        new Change.CreateTable(NAME, COLUMNS, List.of(), IfExists.REFUSE));
  }

  private static LeafStatistics leaf(
      String column, long values, long nulls, String min, String max) {
    return new LeafStatistics(List.of(column), 0, values, nulls, min, max, null, null);
  }

  @Test
  void newLakeHoldsTheSameRows() throws SQLException {
    lakes.assertSame("create the lake");
  }

  @Test
  void schemaAndTableAreMadeAndDroppedAlike() throws SQLException {
    createTable();
    lakes.same("DROP TABLE s.t", new Change.DropTable(TABLE));
    lakes.same("DROP SCHEMA s", new Change.DropSchema("s"));
  }

  @Test
  void tableOfAllTypesIsMadeAlike() throws SQLException {
    lakes.same(
        "CREATE TABLE main.a (c0 BOOLEAN, c1 TINYINT, c2 SMALLINT, c3 INTEGER, c4 BIGINT, c5 HUGEINT,"
            + " c6 UTINYINT, c7 USMALLINT, c8 UINTEGER, c9 UBIGINT, c10 UHUGEINT, c11 FLOAT,"
            + " c12 DOUBLE, c13 DATE, c14 TIME, c15 TIMETZ, c16 TIMESTAMP, c17 TIMESTAMP_S,"
            + " c18 TIMESTAMP_MS, c19 TIMESTAMP_NS, c20 TIMESTAMPTZ, c21 INTERVAL, c22 VARCHAR,"
            + " c23 JSON, c24 BLOB, c25 UUID, c26 DECIMAL(18,3), c27 DECIMAL(38,0))",
        new Change.CreateTable(
            new TableName("main", "a"),
            List.of(
                of("c0", Scalar.BOOLEAN),
                of("c1", Scalar.INT8),
                of("c2", Scalar.INT16),
                of("c3", Scalar.INT32),
                of("c4", Scalar.INT64),
                of("c5", Scalar.INT128),
                of("c6", Scalar.UINT8),
                of("c7", Scalar.UINT16),
                of("c8", Scalar.UINT32),
                of("c9", Scalar.UINT64),
                of("c10", Scalar.UINT128),
                of("c11", Scalar.FLOAT32),
                of("c12", Scalar.FLOAT64),
                of("c13", Scalar.DATE),
                of("c14", Scalar.TIME),
                of("c15", Scalar.TIMETZ),
                of("c16", Scalar.TIMESTAMP),
                of("c17", Scalar.TIMESTAMP_S),
                of("c18", Scalar.TIMESTAMP_MS),
                of("c19", Scalar.TIMESTAMP_NS),
                of("c20", Scalar.TIMESTAMPTZ),
                of("c21", Scalar.INTERVAL),
                of("c22", Scalar.VARCHAR),
                of("c23", Scalar.JSON),
                of("c24", Scalar.BLOB),
                of("c25", Scalar.UUID),
                ColumnSpec.of("c26", new Decimal(18, 3)),
                ColumnSpec.of("c27", new Decimal(38, 0))),
            List.of(),
            IfExists.REFUSE));
    lakes.assertSameAnswers("main.a", 1);
  }

  @Test
  void nestedTableIsMadeAndAlteredAlike() throws SQLException {
    lakes.same(
        "CREATE TABLE main.n (l INTEGER[], s STRUCT(a INTEGER, b VARCHAR[]), m MAP(VARCHAR, DOUBLE),"
            + " last DATE)",
        new Change.CreateTable(
            new TableName("main", "n"),
            List.of(
                ColumnSpec.nested("l", Nested.LIST, List.of(of("element", Scalar.INT32))),
                ColumnSpec.nested(
                    "s",
                    Nested.STRUCT,
                    List.of(
                        of("a", Scalar.INT32),
                        ColumnSpec.nested(
                            "b", Nested.LIST, List.of(of("element", Scalar.VARCHAR))))),
                ColumnSpec.nested(
                    "m",
                    Nested.MAP,
                    List.of(of("key", Scalar.VARCHAR), of("value", Scalar.FLOAT64))),
                of("last", Scalar.DATE)),
            List.of(),
            IfExists.REFUSE));
    TableRef nested = TableRef.name("main", "n");
    lakes.same(
        "ALTER TABLE main.n DROP COLUMN s.b", new Change.DropColumn(nested, List.of("s", "b")));
    lakes.same("ALTER TABLE main.n DROP COLUMN m", new Change.DropColumn(nested, List.of("m")));
    lakes.theirs.execute("ALTER TABLE main.n ADD COLUMN s.c SMALLINT");
    lakes.ours.commit(new Change.AddColumn(nested, List.of("s"), of("c", Scalar.INT16)));
    Set<String> mayDiffer =
        Set.of("ducklake_column.nulls_allowed", "ducklake_column.default_value_type");
    lakes.assertSame("add a struct field", mayDiffer);
    lakes.theirs.execute("ALTER TABLE main.n RENAME COLUMN s.a TO d");
    lakes.ours.commit(new Change.RenameColumn(nested, List.of("s", "a"), "d"));
    lakes.assertSame("rename a struct field", mayDiffer);
    lakes.assertSameAnswers("main.n", 1);
  }

  @Test
  void defaultsAndNotNullAreWrittenAlike() throws SQLException {
    lakes.same(
        "CREATE TABLE main.d (k INTEGER NOT NULL, i INTEGER DEFAULT 42, t VARCHAR DEFAULT 'it''s')",
        new Change.CreateTable(
            new TableName("main", "d"),
            List.of(
                new ColumnSpec("k", Scalar.INT32, Nulls.FORBIDDEN, null, List.of()),
                new ColumnSpec("i", Scalar.INT32, Nulls.ALLOWED, "42", List.of()),
                new ColumnSpec("t", Scalar.VARCHAR, Nulls.ALLOWED, "it's", List.of())),
            List.of(),
            IfExists.REFUSE));
    TableRef table = TableRef.name("main", "d");
    lakes.same(
        "ALTER TABLE main.d ADD COLUMN w DOUBLE DEFAULT 1.5",
        new Change.AddColumn(
            table,
            List.of(),
            new ColumnSpec("w", Scalar.FLOAT64, Nulls.ALLOWED, "1.5", List.of())));
    lakes.same(
        "ALTER TABLE main.d RENAME COLUMN i TO j",
        new Change.RenameColumn(table, List.of("i"), "j"));
    lakes.same(
        "ALTER TABLE main.d ALTER COLUMN j TYPE BIGINT",
        new Change.RetypeColumn(table, List.of("j"), Scalar.INT64));
  }

  @Test
  void partitionedTableIsMadeAlike() throws SQLException {
    List<ColumnSpec> columns =
        List.of(of("d", Scalar.DATE), of("k", Scalar.INT32), of("v", Scalar.VARCHAR));
    TableName name = new TableName("main", "p");
    lakes.same(
        "CREATE TABLE main.p (d DATE, k INTEGER, v VARCHAR)",
        new Change.CreateTable(name, columns, List.of(), IfExists.REFUSE));
    lakes.same(
        "ALTER TABLE main.p SET PARTITIONED BY (year(d), k, bucket(8, v))",
        new Change.SetPartitioning(
            TableRef.name("main", "p"),
            List.of(
                new PartitionKey("d", PartitionTransform.parse("year")),
                PartitionKey.identity("k"),
                new PartitionKey("v", PartitionTransform.parse("bucket(8)")))));
    lakes.same(
        "ALTER TABLE main.p RESET PARTITIONED BY",
        new Change.SetPartitioning(TableRef.name("main", "p"), List.of()));
    lakes.same("DROP TABLE main.p", new Change.DropTable(TableRef.name("main", "p")));
  }

  @Test
  void addedFilesWriteTheSameRows() throws SQLException {
    createTable();
    NewDataFile first =
        lakes.fileWithBounds(
            "SELECT * FROM (VALUES (1::INT, 'a'), (2, NULL), (10, 'c')) x(id, v)",
            leaf("id", 3, 0, "1", "10"),
            leaf("v", 2, 1, "a", "c"));
    lakes.same(
        "CALL ducklake_add_data_files('lake', 't', '%s', schema => 's')".formatted(first.path()),
        new Change.AddDataFiles(TABLE, List.of(first)));
    NewDataFile second =
        lakes.fileWithBounds(
            "SELECT * FROM (VALUES (-5::INT, ''), (9, 'b')) x(id, v)",
            leaf("id", 2, 0, "-5", "9"),
            leaf("v", 2, 0, "", "b"));
    lakes.same(
        "CALL ducklake_add_data_files('lake', 't', '%s', schema => 's')".formatted(second.path()),
        new Change.AddDataFiles(TABLE, List.of(second)));
    lakes.assertSameAnswers("s.t", 2);
    lakes.same(
        "ALTER TABLE s.t ADD COLUMN w DOUBLE DEFAULT 2.5",
        new Change.AddColumn(
            TABLE,
            List.of(),
            new ColumnSpec("w", Scalar.FLOAT64, Nulls.ALLOWED, "2.5", List.of())));
    lakes.same(
        "ALTER TABLE s.t RENAME COLUMN v TO x", new Change.RenameColumn(TABLE, List.of("v"), "x"));
    lakes.same("ALTER TABLE s.t RENAME TO u", new Change.RenameTable(TABLE, "u"));
    lakes.assertSameAnswers("s.u", 7);
    lakes.same("DROP TABLE s.u", new Change.DropTable(TableRef.name("s", "u")));
  }

  @Test
  void retypeWritesTheSameRowsAndForgetsTheColumnsBounds() throws SQLException {
    createTable();
    NewDataFile file =
        lakes.fileWithBounds(
            "SELECT 1000::INT AS id, 'a' AS v",
            leaf("id", 1, 0, "1000", "1000"),
            leaf("v", 1, 0, "a", "a"));
    lakes.same(
        "CALL ducklake_add_data_files('lake', 't', '%s', schema => 's')".formatted(file.path()),
        new Change.AddDataFiles(TABLE, List.of(file)));
    lakes.theirs.execute("ALTER TABLE s.t ALTER COLUMN id TYPE BIGINT");
    lakes.ours.commit(new Change.RetypeColumn(TABLE, List.of("id"), Scalar.INT64));

    Set<String> statistics = Set.of("ducklake_table_column_stats");
    CatalogDump made = TwoLakes.dump(lakes.ours.database).without(statistics);
    // the deleted row moves the counter that DuckDB caches statistics by
    Set<String> counter = Set.of("ducklake_snapshot.next_file_id");
    assertThat(
            made.masking(counter)
                .differences(
                    TwoLakes.dump(lakes.theirDatabase).without(statistics).masking(counter)))
        .isEmpty();
    assertThat(TwoLakes.dump(lakes.ours.database).rows("ducklake_table_column_stats"))
        .singleElement()
        .asString()
        .contains("column_id=2", "min_value=a");
    lakes.assertSameAnswers("s.t", 2);
  }

  @Test
  void adoptedLakeIsWrittenToLikeOneOfOurs() throws SQLException {
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    try (DuckLakeSession maker =
        DuckLakeSession.open().attach(DuckLakeAttachment.of(database, folder + "/data"))) {
      maker.execute("CALL lake.set_option('data_inlining_row_limit', '0')");
    }
    Catalog adopted = Catalog.adopt(database.dataSource(), TestLake.LAKE);
    adopted.commit(
        CommitRequest.of(
            "test",
            new CommitRequest.Base.Newest(),
            List.of(new Change.CreateSchema("s", IfExists.REFUSE))));
    lakes.theirs.execute("CREATE SCHEMA s");
    assertThat(TwoLakes.dump(database).differences(TwoLakes.dump(lakes.theirDatabase))).isEmpty();
  }

  @Test
  void severalChangesInOneCommitAreOneSnapshotAlike() throws SQLException {
    createTable();
    lakes.same(
        "BEGIN; ALTER TABLE s.t ADD COLUMN w INTEGER; ALTER TABLE s.t RENAME COLUMN w TO x;"
            + " ALTER TABLE s.t DROP COLUMN v; COMMIT",
        new Change.AddColumn(TABLE, List.of(), of("w", Scalar.INT32)),
        new Change.RenameColumn(TABLE, List.of("w"), "x"),
        new Change.DropColumn(TABLE, List.of("v")));
    lakes.assertSameAnswers("s.t", 3);
    lakes.same(
        "BEGIN; ALTER TABLE s.t RENAME TO t_old; CREATE TABLE s.t (n BIGINT); DROP TABLE s.t_old;"
            + " COMMIT",
        new Change.RenameTable(TABLE, "t_old"),
        new Change.CreateTable(NAME, List.of(of("n", Scalar.INT64)), List.of(), IfExists.REFUSE),
        new Change.DropTable(TableRef.name("s", "t_old")));
  }

  @Test
  @DisplayName("an overwrite ends and adds the files that DELETE and add_data_files would")
  void overwriteWritesTheSameRowsAsDeleteAndAdd() throws SQLException {
    createTable();
    NewDataFile first =
        lakes.fileWithBounds(
            "SELECT 1::INT AS id, 'a' AS v", leaf("id", 1, 0, "1", "1"), leaf("v", 1, 0, "a", "a"));
    lakes.same(
        "CALL ducklake_add_data_files('lake', 't', '%s', schema => 's')".formatted(first.path()),
        new Change.AddDataFiles(TABLE, List.of(first)));
    NewDataFile second =
        lakes.fileWithBounds(
            "SELECT 7::INT AS id, 'z' AS v FROM range(2)",
            leaf("id", 2, 0, "7", "7"),
            leaf("v", 2, 0, "z", "z"));
    lakes.theirs.execute(
        "BEGIN; DELETE FROM s.t; CALL ducklake_add_data_files('lake', 't', '%s', schema => 's'); COMMIT"
            .formatted(second.path()));
    lakes.ours.commit(
        new Change.ReplaceContent(
            NAME,
            COLUMNS,
            List.of(),
            List.of(second),
            SchemaPolicy.SYNC,
            ForeignContent.REPLACE,
            null));

    assertThat(TwoLakes.dump(lakes.ours.database).rows("ducklake_table_column_stats")).isEmpty();
    CatalogDump made =
        TwoLakes.dump(lakes.ours.database).without(Set.of("ducklake_table_column_stats"));
    CatalogDump wanted =
        TwoLakes.dump(lakes.theirDatabase).without(Set.of("ducklake_table_column_stats"));
    Set<String> totals =
        Set.of("ducklake_table_stats.record_count", "ducklake_table_stats.file_size_bytes");
    assertThat(made.masking(totals).differences(wanted.masking(totals))).isEmpty();
    lakes.assertSameAnswers("s.t", 2);
  }
}
