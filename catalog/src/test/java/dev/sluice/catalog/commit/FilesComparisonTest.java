package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.embedded.PostgresDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Delete files, files of partitions and publications, by DuckDB and by us: the same catalog rows
 * but for the columns of docs/reference/catalog-differences.md.
 */
class FilesComparisonTest {

  private static final TableName NAME = new TableName("s", "t");
  private static final TableRef TABLE = TableRef.name("s", "t");
  private static final ColumnSpec ID = ColumnSpec.of("id", Scalar.INT32);
  private static final ColumnSpec V = ColumnSpec.of("v", Scalar.VARCHAR);

  /** What an overwrite writes otherwise than DELETE and add_data_files do; the last row of all. */
  private static final Set<String> TOTALS =
      Set.of("ducklake_table_stats.record_count", "ducklake_table_stats.file_size_bytes");

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

  private void createTable() throws SQLException {
    lakes.same("CREATE SCHEMA s", new Change.CreateSchema("s", IfExists.REFUSE));
    lakes.same(
        "CREATE TABLE s.t (id INTEGER, v VARCHAR)",
        new Change.CreateTable(NAME, List.of(ID, V), List.of(), IfExists.REFUSE));
  }

  private static LeafStatistics leaf(String column, long values, String min, String max) {
    return new LeafStatistics(List.of(column), 0, values, 0L, min, max, null, null);
  }

  private static String adding(NewDataFile file) {
    return "CALL ducklake_add_data_files('lake', 't', '%s', schema => 's')".formatted(file.path());
  }

  @Test
  void deleteFilesAreWrittenAlike() throws SQLException {
    createTable();
    NewDataFile file =
        lakes.fileWithBounds(
            "SELECT i::INT AS id, 'a' AS v FROM range(20) r(i)",
            leaf("id", 20, "0", "19"),
            leaf("v", 20, "a", "a"));
    lakes.same(adding(file), new Change.AddDataFiles(TABLE, List.of(file)));

    lakes.theirs.execute("DELETE FROM s.t WHERE id < 3");
    lakes.ours.commit(theirNewestDeleteFile());
    lakes.assertSame("delete three rows");
    lakes.assertSameAnswers("s.t", 2);

    lakes.theirs.execute("DELETE FROM s.t WHERE id IN (5, 7)");
    lakes.ours.commit(theirNewestDeleteFile());
    Set<String> superseded =
        Set.of("ducklake_delete_file", "ducklake_files_scheduled_for_deletion");
    assertSameBut(superseded, Set.of());
    assertThat(deleteFiles("delete_count, begin_snapshot, end_snapshot", lakes.ours.database))
        .as("ours: the superseded file stays for the snapshot that had it")
        .isEqualTo("3 4 5\n5 5 null");
    assertThat(deleteFiles("delete_count, begin_snapshot, partial_max", lakes.theirDatabase))
        .as("DuckDB's: one file that knows which snapshot deleted which row")
        .isEqualTo("5 4 5");
    lakes.assertSameAnswers("s.t", 2);

    lakes.theirs.execute("DROP TABLE s.t");
    lakes.ours.commit(new Change.DropTable(TABLE));
    assertSameBut(superseded, Set.of());
    assertThat(deleteFiles("end_snapshot", lakes.ours.database)).isEqualTo("5\n6");
    assertThat(deleteFiles("end_snapshot", lakes.theirDatabase)).isEqualTo("6");
  }

  private static String deleteFiles(String columns, PostgresDatabase database) throws SQLException {
    return TestLake.sql(
        database, "SELECT " + columns + " FROM ducklake_delete_file ORDER BY delete_file_id");
  }

  /** Both lakes have the same data path and table paths: DuckDB's delete file can be ours too. */
  private Change theirNewestDeleteFile() throws SQLException {
    try (Connection connection = lakes.theirDatabase.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT data_file_id, path, delete_count, file_size_bytes, footer_size FROM"
                    + " ducklake_delete_file WHERE end_snapshot IS NULL")) {
      assertThat(row.next()).isTrue();
      return new Change.AddDeleteFiles(
          TABLE,
          List.of(
              new Change.NewDeleteFile(
                  row.getLong(1),
                  folder + "/data/s/t/" + row.getString(2),
                  row.getLong(3),
                  row.getLong(4),
                  row.getLong(5))));
    }
  }

  @Test
  void filesOfPartitionsAreWrittenAlike() throws SQLException, IOException {
    lakes.same("CREATE SCHEMA s", new Change.CreateSchema("s", IfExists.REFUSE));
    lakes.same(
        "CREATE TABLE s.t (id INTEGER, p VARCHAR)",
        new Change.CreateTable(
            NAME, List.of(ID, ColumnSpec.of("p", Scalar.VARCHAR)), List.of(), IfExists.REFUSE));
    PartitionKey key = PartitionKey.identity("p");
    lakes.same(
        "ALTER TABLE s.t SET PARTITIONED BY (p)", new Change.SetPartitioning(TABLE, List.of(key)));
    for (String value : List.of("A", "B")) {
      NewDataFile plain =
          lakes.fileWithBounds("SELECT 1::INT AS id FROM range(3)", leaf("id", 3, "1", "1"));
      Path inFolder = folder.resolve("data/in/p=" + value + "/f.parquet");
      Files.createDirectories(inFolder.getParent());
      Files.move(Path.of(plain.path()), inFolder);
      NewDataFile file =
          new NewDataFile(
              inFolder.toString(),
              3,
              plain.fileSizeBytes(),
              plain.footerSize(),
              new FileMapping.ByName(
                  List.of(
                      new MappedField("id", "id", Origin.FILE_COLUMN, List.of()),
                      new MappedField("p", "p", Origin.PATH, List.of()))),
              List.of(new PartitionValue(key, value)),
              List.of(plain.statistics().getFirst(), leaf("p", 3, value, value)));
      lakes.same(
          "CALL ducklake_add_data_files('lake', 't', '%s', schema => 's', hive_partitioning => true)"
              .formatted(inFolder),
          new Change.AddDataFiles(TABLE, List.of(file)));
    }
    lakes.assertSameAnswers("s.t", 3);
    assertThat(lakes.ours.ask("SELECT count(*) FROM s.t WHERE p = 'B'")).isEqualTo("3");
  }

  @Test
  void firstPublicationWritesTheSameRowsButStatistics() throws SQLException {
    NewDataFile file =
        lakes.fileWithBounds(
            "SELECT 1::INT AS id, 'a' AS v", leaf("id", 1, "1", "1"), leaf("v", 1, "a", "a"));
    lakes.theirs.execute(
        "BEGIN; CREATE SCHEMA s; CREATE TABLE s.t (id INTEGER, v VARCHAR); "
            + adding(file)
            + "; COMMIT");
    lakes.ours.commit(TestLake.publish(NAME, List.of(ID, V), file));

    assertSameBut(Set.of("ducklake_table_column_stats"), Set.of());
    assertThat(TwoLakes.dump(lakes.ours.database).rows("ducklake_table_column_stats")).isEmpty();
    lakes.assertSameAnswers("s.t", 1);
  }

  @Test
  void overwriteWithOtherColumnsWritesTheSameRowsButStatistics() throws SQLException {
    createTable();
    NewDataFile first =
        lakes.fileWithBounds(
            "SELECT 1::INT AS id, 'a' AS v", leaf("id", 1, "1", "1"), leaf("v", 1, "a", "a"));
    lakes.same(adding(first), new Change.AddDataFiles(TABLE, List.of(first)));
    NewDataFile second =
        lakes.fileWithBounds(
            "SELECT 7::INT AS id, 1.5::DOUBLE AS w",
            leaf("id", 1, "7", "7"),
            leaf("w", 1, "1.5", "1.5"));
    lakes.theirs.execute(
        "BEGIN; ALTER TABLE s.t DROP COLUMN v; ALTER TABLE s.t ADD COLUMN w DOUBLE;"
            + " DELETE FROM s.t; "
            + adding(second)
            + "; COMMIT");
    lakes.ours.commit(
        new Change.ReplaceContent(
            NAME,
            List.of(ID, ColumnSpec.of("w", Scalar.FLOAT64)),
            List.of(),
            List.of(second),
            SchemaPolicy.SYNC,
            ForeignContent.REPLACE,
            null));

    assertSameBut(Set.of("ducklake_table_column_stats"), TOTALS);
    lakes.assertSameAnswers("s.t", 2);
  }

  @Test
  @DisplayName("an empty generation ends what DELETE without a condition would")
  void emptyOverwriteWritesTheSameRowsButStatistics() throws SQLException {
    createTable();
    NewDataFile first =
        lakes.fileWithBounds(
            "SELECT 1::INT AS id, 'a' AS v", leaf("id", 1, "1", "1"), leaf("v", 1, "a", "a"));
    lakes.same(adding(first), new Change.AddDataFiles(TABLE, List.of(first)));
    lakes.theirs.execute("DELETE FROM s.t");
    lakes.ours.commit(TestLake.publish(NAME, List.of(ID, V)));

    assertSameBut(
        Set.of("ducklake_table_column_stats"),
        Set.of(
            "ducklake_table_stats.record_count",
            "ducklake_table_stats.file_size_bytes",
            "ducklake_snapshot.next_file_id"));
    lakes.assertSameAnswers("s.t", 2);
  }

  @Test
  void constantsThatDuckDbTakesForExpressionsAreWrittenAsConstants() throws SQLException {
    lakes.theirs.execute("CREATE TABLE main.d (b BOOLEAN DEFAULT true)");
    lakes.ours.commit(
        new Change.CreateTable(
            new TableName("main", "d"),
            List.of(new ColumnSpec("b", Scalar.BOOLEAN, Nulls.ALLOWED, "true", List.of())),
            List.of(),
            IfExists.REFUSE));

    assertSameBut(Set.of("ducklake_column"), Set.of());
    String defaults =
        "SELECT default_value, default_value_type, initial_default FROM ducklake_column";
    assertThat(lakes.ours.sql(defaults)).isEqualTo("true literal true");
    assertThat(TestLake.sql(lakes.theirDatabase, defaults))
        .isEqualTo("CAST('t' AS BOOLEAN) expression null");
  }

  private void assertSameBut(Set<String> tables, Set<String> columns) throws SQLException {
    CatalogDump made = TwoLakes.dump(lakes.ours.database).without(tables).masking(columns);
    CatalogDump wanted = TwoLakes.dump(lakes.theirDatabase).without(tables).masking(columns);
    assertThat(made.differences(wanted)).isEmpty();
  }
}
