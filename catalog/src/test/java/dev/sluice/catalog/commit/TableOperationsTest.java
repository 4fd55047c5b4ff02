package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.error.InvalidChangeException;
import dev.sluice.catalog.error.LakeRefusedException;
import dev.sluice.catalog.read.SnapshotEntry;
import dev.sluice.embedded.DuckLakeSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, paths, swaps and changes of columns, read back by DuckDB. */
class TableOperationsTest {

  private static final ColumnSpec K = ColumnSpec.of("k", Scalar.INT32);
  private static final TableName NAME = new TableName("s", "t");
  private static final TableRef TABLE = new TableRef.ByName(NAME);

  @TempDir Path folder;
  private TestLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = TestLake.create(folder);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  @Test
  @DisplayName(
      "CAT-06, writer bug 12: commas, quotes and colons in names keep the change log readable")
  void cat06AwkwardNamesKeepTheChangeLogReadable() throws SQLException {
    TableName name = new TableName("a,b", "we\"ird: x");
    lake.createTable(name, K);
    lake.append(name, lake.file("SELECT 1::INT AS k"));
    lake.duck.execute("CREATE TABLE other (i INT); BEGIN; INSERT INTO other VALUES (1)");
    lake.commit(new Change.RenameTable(new TableRef.ByName(name), "we\"ird, y"));
    lake.duck.execute("COMMIT");

    assertThat(lake.sql("SELECT changes_made FROM ducklake_snapshot_changes WHERE snapshot_id = 4"))
        .isEqualTo("created_table:\"a,b\".\"we\"\"ird, y\"");
    assertThat(lake.ask("SELECT count(*) FROM ducklake_snapshots('lake')")).isEqualTo("6");
    assertThat(lake.ask("SELECT k FROM \"a,b\".\"we\"\"ird, y\"")).isEqualTo("1");
  }

  @Test
  @DisplayName("CAT-18: awkward schema, table and column names and values come back unchanged")
  void cat18NamesAndValuesComeBackUnchanged() throws SQLException {
    TableName name = new TableName("my \"s\"", "select");
    List<String> columns = List.of("a'b\"c", "order", "naïve 列", "x.y");
    lake.commit(
        new Change.CreateSchema(name.schema(), IfExists.REFUSE),
        new Change.CreateTable(
            name,
            columns.stream().map(column -> ColumnSpec.of(column, Scalar.VARCHAR)).toList(),
            List.of(),
            IfExists.REFUSE));
    String value = "\"\\;--$$'";
    NewDataFile file =
        lake.file(
            "SELECT '\"\\;--$$''' AS \"a'b\"\"c\", 'o' AS \"order\", 'n' AS \"naïve 列\","
                + " 'x' AS \"x.y\"");
    lake.append(name, TestLake.with(file, TestLake.bounds("a'b\"c", 1, value, value)));

    assertThat(lake.ask("SELECT * FROM \"my \"\"s\"\"\".\"select\"")).isEqualTo(value + " o n x");
    assertThat(lake.duck.columns("SELECT * FROM \"my \"\"s\"\"\".\"select\"")).isEqualTo(columns);
    assertThat(
            lake.ask(
                "SELECT count(*) FROM \"my \"\"s\"\"\".\"select\" WHERE \"a'b\"\"c\" ="
                    + " '\"\\;--$$'''"))
        .isEqualTo("1");
    assertThat(lake.sql("SELECT min_value FROM ducklake_file_column_stats")).isEqualTo(value);
  }

  @Test
  @DisplayName("CAT-07, writer bug 15: relative and absolute paths, and a lake that moves")
  void cat07PathsAreStoredRelativeOnlyBelowTheTable() throws SQLException, IOException {
    lake.createTable(NAME, K);
    NewDataFile outside = lake.file("SELECT 1::INT AS k");
    Path below = folder.resolve("data/s/t/below.parquet");
    Files.createDirectories(below.getParent());
    Path elsewhere = folder.resolve("elsewhere");
    Files.createDirectories(elsewhere);
    lake.duck.execute("COPY (SELECT 2::INT AS k) TO '%s'".formatted(below));
    NewDataFile inside =
        new NewDataFile(
            below.toString(), 1, Files.size(below), null, outside.mapping(), List.of(), List.of());
    Path foreign = elsewhere.resolve("foreign.parquet");
    Files.copy(Path.of(outside.path()), foreign);
    NewDataFile absolute =
        new NewDataFile(
            foreign.toString(),
            1,
            outside.fileSizeBytes(),
            null,
            outside.mapping(),
            List.of(),
            List.of());
    lake.append(NAME, inside, absolute);

    assertThat(lake.sql("SELECT path, path_is_relative FROM ducklake_data_file ORDER BY 2"))
        .isEqualTo(foreign + " f\nbelow.parquet t");
    assertThat(lake.ask("SELECT string_agg(k, ',' ORDER BY k) FROM s.t")).isEqualTo("1,2");

    Path moved = folder.resolve("moved/s/t/below.parquet");
    Files.createDirectories(moved.getParent());
    Files.move(below, moved);
    lake.tamper(
        "UPDATE ducklake_metadata SET value = '" + folder + "/moved/' WHERE key = 'data_path'");
    try (DuckLakeSession session = lake.attach()) {
      assertThat(session.valueText("SELECT string_agg(k, ',' ORDER BY k) FROM s.t"))
          .isEqualTo("1,2");
    }
    assertThatThrownBy(() -> lake.append(NAME, lake.invented("late", 1)))
        .isInstanceOf(LakeRefusedException.class)
        .hasMessageContaining("was moved")
        .hasMessageContaining("open the lake again");
    Catalog reopened = Catalog.open(lake.database.dataSource(), TestLake.LAKE);
    assertThat(reopened.info().dataPath()).isEqualTo(folder + "/moved/");
  }

  @Test
  @DisplayName("CAT-11: columns that somebody added to the catalog's tables stay NULL")
  void cat11ForeignColumnsDoNotDisturb() throws SQLException {
    lake.createTable(NAME, K);
    for (String table :
        List.of("ducklake_table_column_stats", "ducklake_data_file", "ducklake_delete_file")) {
      lake.tamper("ALTER TABLE " + table + " ADD COLUMN extra boolean");
    }

    lake.append(NAME, lake.invented("one", 2, TestLake.bounds("k", 2, "1", "2")));
    lake.append(NAME, lake.invented("again", 2, TestLake.bounds("k", 2, "0", "5")));
    // before the publication, which leaves no such row
    assertThat(lake.sql("SELECT min_value, max_value, extra FROM ducklake_table_column_stats"))
        .isEqualTo("0 5 null");
    long file = Long.parseLong(lake.sql("SELECT min(data_file_id) FROM ducklake_data_file"));
    lake.commit(
        new Change.AddDeleteFiles(
            TABLE, List.of(new Change.NewDeleteFile(file, folder + "/d.parquet", 1, 100, null))));
    lake.commit(TestLake.publish(NAME, List.of(K), lake.invented("two", 3)));

    assertThat(
            lake.sql("SELECT count(*), count(extra) FROM ducklake_data_file")
                + lake.sql(" SELECT count(extra) FROM ducklake_delete_file"))
        .isEqualTo("3 00");
  }

  @Test
  @DisplayName("CAT-12: a table of the same name in another schema is not touched")
  void cat12OnlyTheNamedTableChanges() throws SQLException {
    TableName other = new TableName("a", "t");
    TableName mine = new TableName("b", "t");
    lake.createTable(other, K);
    lake.createTable(mine, K);
    lake.append(other, lake.file("SELECT 1::INT AS k"));
    lake.append(mine, lake.file("SELECT 2::INT AS k"));
    lake.commit(
        new Change.DropTable(new TableRef.ByName(mine)),
        new Change.CreateTable(mine, List.of(K), List.of(), IfExists.REFUSE));

    lake.append(mine, lake.file("SELECT 3::INT AS k"));

    assertThat(lake.ask("SELECT k FROM a.t")).isEqualTo("1");
    assertThat(lake.ask("SELECT k FROM b.t")).isEqualTo("3");
    assertThat(lake.ask("SELECT k FROM b.t AT (VERSION => 4)")).isEqualTo("2");
  }

  @Test
  @DisplayName("CAT-13: five swaps in a row; exactly one live table of the name at each snapshot")
  void cat13SwapsKeepExactlyOneTable() throws SQLException {
    lake.createTable(NAME, K);
    for (int i = 0; i < 5; i++) {
      TableName next = new TableName("s", "t_new");
      lake.commit(
          new Change.CreateTable(next, List.of(K), List.of(), IfExists.REFUSE),
          new Change.AddDataFiles(
              new TableRef.ByName(next), List.of(lake.file("SELECT %d::INT AS k".formatted(i)))));
      lake.commit(
          new Change.RenameTable(TABLE, "t_old"),
          new Change.RenameTable(new TableRef.ByName(next), "t"),
          new Change.DropTable(TableRef.name("s", "t_old")));
      assertThat(lake.ask("SELECT k FROM s.t")).isEqualTo(String.valueOf(i));
    }

    assertThat(
            lake.sql(
                "SELECT DISTINCT count(*), (SELECT count(*) - 1 FROM ducklake_snapshot), sum(count(*))"
                    + " OVER () FROM ducklake_snapshot n JOIN ducklake_table t ON"
                    + " t.begin_snapshot <= n.snapshot_id AND (t.end_snapshot IS NULL OR"
                    + " n.snapshot_id < t.end_snapshot) WHERE t.table_name = 't' GROUP BY"
                    + " n.snapshot_id"))
        .as("tables called t at each snapshot, snapshots after the first, tables in all of them")
        .isEqualTo("1 11 11");
    for (SnapshotEntry entry : lake.catalog.reader().snapshots()) {
      List<String> tables =
          lake.catalog.reader().view(entry.snapshot()).tables().stream()
              .map(table -> table.name().table())
              .toList();
      assertThat(tables)
          .hasSize(Math.toIntExact(entry.snapshot().id() == 0 ? 0 : 2 - entry.snapshot().id() % 2));
      assertThat(tables).filteredOn("t"::equals).hasSize(entry.snapshot().id() == 0 ? 0 : 1);
    }
    assertThat(lake.ask("SELECT k FROM s.t AT (VERSION => 7)")).isEqualTo("2");
  }

  @Test
  @DisplayName("CAT-16: one commit widens a column, adds one and appends; old snapshots stay right")
  void cat16WidenAddAndAppendInOneCommit() throws SQLException {
    lake.createTable(NAME, ColumnSpec.of("c", Scalar.INT32));
    NewDataFile old = lake.file("SELECT 1000::INT AS c");
    lake.append(NAME, TestLake.with(old, TestLake.bounds("c", 1, "1000", "1000")));
    NewDataFile wide = lake.file("SELECT 3000000000::BIGINT AS c, 1::INT AS d");

    lake.commit(
        new Change.RetypeColumn(TABLE, List.of("c"), Scalar.INT64),
        new Change.AddColumn(TABLE, List.of(), ColumnSpec.of("d", Scalar.INT32)),
        new Change.AddDataFiles(
            TABLE,
            List.of(
                TestLake.with(
                    wide,
                    TestLake.bounds("c", 1, "3000000000", "3000000000"),
                    TestLake.bounds("d", 1, "1", "1")))));

    assertThat(lake.ask("SELECT typeof(c), count(*) FROM s.t WHERE c = 1000 GROUP BY 1"))
        .isEqualTo("BIGINT 1");
    assertThat(lake.ask("SELECT count(*) FROM s.t WHERE c = 3000000000")).isEqualTo("1");
    assertThat(lake.ask("SELECT count(*) FROM s.t AT (VERSION => 2) WHERE c = 1000"))
        .isEqualTo("1");
    assertThat(lake.ask("SELECT min(c), max(c), sum(d) FROM s.t")).isEqualTo("1000 3000000000 1");
    assertThat(lake.sql("SELECT count(*) FROM ducklake_table_column_stats WHERE column_id = 1"))
        .isEqualTo("0");
  }

  @Test
  @DisplayName("writer bug 25: a schema with a table, a view or a macro is not dropped")
  void schemaWithContentIsNotDropped() throws SQLException {
    lake.createTable(NAME, K);
    assertThatThrownBy(() -> lake.commit(new Change.DropSchema("s")))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("schema s: cannot be dropped; it still holds table t");
    lake.commit(new Change.DropTable(TABLE));
    lake.duck.execute("CREATE VIEW s.v AS SELECT 1 AS i");
    assertThatThrownBy(() -> lake.commit(new Change.DropSchema("s")))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("it still holds view v");
    lake.duck.execute("DROP VIEW s.v; CREATE MACRO s.m(x) AS x + 1");
    assertThatThrownBy(() -> lake.commit(new Change.DropSchema("s")))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("it still holds macro m");
    lake.duck.execute("DROP MACRO s.m");

    lake.commit(new Change.DropSchema("s"));

    assertThat(lake.ask("SELECT count(*) FROM duckdb_schemas() WHERE schema_name = 's'"))
        .isEqualTo("0");
  }

  @Test
  @DisplayName("writer bug 24: views of others survive our commits in their schema")
  void viewsOfOthersSurvive() throws SQLException {
    lake.createTable(NAME, K);
    lake.append(NAME, lake.file("SELECT 5::INT AS k"));
    lake.duck.execute("CREATE VIEW s.v AS SELECT k FROM s.t");

    lake.commit(new Change.AddColumn(TABLE, List.of(), ColumnSpec.of("x", Scalar.INT32)));

    assertThat(lake.ask("FROM s.v")).isEqualTo("5");
    assertThatThrownBy(() -> lake.createTable(new TableName("s", "V"), K))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("there is a view of that name");
  }

  @Test
  @DisplayName("writer bug 33: a file has one value per partition key, each possible, or none")
  void partitionValuesAreOneWhole() throws SQLException {
    List<PartitionKey> keys =
        List.of(
            PartitionKey.identity("k"),
            new PartitionKey("j", PartitionTransform.parse("bucket(4)")));
    lake.commit(
        new Change.CreateSchema("s", IfExists.REFUSE),
        new Change.CreateTable(
            NAME, List.of(K, ColumnSpec.of("j", Scalar.INT32)), keys, IfExists.REFUSE));

    assertThatThrownBy(() -> lake.append(NAME, partitioned(new PartitionValue(keys.get(0), "1"))))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("it has 1 partition values and the table 2 keys");
    assertThatThrownBy(
            () ->
                lake.append(
                    NAME,
                    partitioned(
                        new PartitionValue(keys.get(0), "1"),
                        new PartitionValue(keys.get(1), "4"))))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("has partition value '4' for bucket(4)(j)");

    lake.append(
        NAME,
        partitioned(new PartitionValue(keys.get(1), "3"), new PartitionValue(keys.get(0), null)));
    assertThat(
            lake.sql(
                "SELECT partition_key_index, partition_value, (SELECT partition_id IS NOT NULL FROM"
                    + " ducklake_data_file) FROM ducklake_file_partition_value ORDER BY 1"))
        .isEqualTo("0 null t\n1 3 t");
  }

  private NewDataFile partitioned(PartitionValue... values) {
    NewDataFile file = lake.invented("p", 1);
    return new NewDataFile(
        file.path(),
        file.recordCount(),
        file.fileSizeBytes(),
        file.footerSize(),
        file.mapping(),
        List.of(values),
        List.of());
  }

  @Test
  void columnsThatCannotBeChangedAreRefused() throws SQLException {
    lake.commit(
        new Change.CreateSchema("s", IfExists.REFUSE),
        new Change.CreateTable(
            NAME,
            List.of(
                K,
                ColumnSpec.nested(
                    "m",
                    Nested.MAP,
                    List.of(
                        ColumnSpec.of("key", Scalar.VARCHAR),
                        ColumnSpec.of("value", Scalar.INT32)))),
            List.of(PartitionKey.identity("k")),
            IfExists.REFUSE));

    refused(new Change.DropColumn(TABLE, List.of("k")), "the table is partitioned by it");
    refused(new Change.DropColumn(TABLE, List.of("m", "key")), "column m is no struct but map");
    refused(
        new Change.RetypeColumn(TABLE, List.of("k"), Scalar.INT16),
        "column k cannot become int16; it is int32");
    refused(
        new Change.AddColumn(TABLE, List.of(), ColumnSpec.of("K", Scalar.INT32)),
        "names are compared without regard to case");
    refused(
        new Change.AddColumn(TABLE, List.of(), ColumnSpec.of("rowid", Scalar.INT32)),
        "DuckLake has a column of its own by that name");
    refused(
        new Change.AddColumn(TABLE, List.of(), ColumnSpec.of("é".repeat(32), Scalar.INT32)),
        "it has 64 bytes of UTF-8 and at most 63 are safe");
    refused(
        new Change.AddColumn(
            TABLE,
            List.of(),
            new ColumnSpec("d", Scalar.DATE, Nulls.ALLOWED, "yesterday", List.of())),
        "'yesterday' is no date");
    refused(
        new Change.AddColumn(
            TABLE, List.of(), new ColumnSpec("d", Scalar.DATE, Nulls.FORBIDDEN, null, List.of())),
        "it may not be NULL");
    lake.duck.execute("ALTER TABLE s.t ADD COLUMN z INT; ALTER TABLE s.t SET SORTED BY (z)");
    refused(new Change.DropColumn(TABLE, List.of("z")), "the table's sort order uses it");
  }

  @Test
  void keysThatNoRowCouldBeWrittenByAreRefused() throws SQLException {
    lake.createTable(
        NAME,
        K,
        ColumnSpec.of("v", Scalar.VARCHAR),
        ColumnSpec.of("at", Scalar.TIME),
        ColumnSpec.of("d", Scalar.DATE));
    PartitionTransform year = PartitionTransform.parse("year");
    PartitionTransform hour = PartitionTransform.parse("hour");
    refused(
        new Change.SetPartitioning(TABLE, List.of(new PartitionKey("v", year))),
        "cannot be partitioned by year(v); the column is varchar, which has no year");
    refused(
        new Change.SetPartitioning(TABLE, List.of(new PartitionKey("at", year))),
        "the column is time, which has no year");
    refused(
        new Change.SetPartitioning(TABLE, List.of(new PartitionKey("k", hour))),
        "the column is int32, which has no hour");
    refused(
        new Change.SetPartitioning(
            TABLE, List.of(PartitionKey.identity("k"), PartitionKey.identity("K"))),
        "cannot be partitioned by k twice");

    lake.commit(
        new Change.SetPartitioning(
            TABLE,
            List.of(
                new PartitionKey("d", year),
                PartitionKey.identity("d"),
                new PartitionKey("at", hour))));
    lake.duck.execute("INSERT INTO s.t VALUES (1, 'x', TIME '10:00', DATE '2024-02-29')");
    assertThat(lake.ask("SELECT count(*) FROM s.t")).isEqualTo("1");
  }

  private void refused(Change change, String reason) {
    assertThatThrownBy(() -> lake.commit(change))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void filesOfOtherTablesAndScheduledFilesAreRefused() throws SQLException {
    lake.createTable(NAME, K);
    lake.createTable(new TableName("s", "u"), K);
    NewDataFile below =
        new NewDataFile(
            folder + "/data/s/t/x.parquet",
            1,
            100,
            null,
            lake.invented("x", 1).mapping(),
            List.of(),
            List.of());
    lake.append(NAME, below);

    assertThatThrownBy(() -> lake.append(new TableName("s", "u"), below))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("an object belongs to one data file row for ever");
    lake.tamper(
        "INSERT INTO ducklake_files_scheduled_for_deletion VALUES (99, 's/t/y.parquet', true,"
            + " now())");
    assertThatThrownBy(
            () ->
                lake.append(
                    NAME,
                    new NewDataFile(
                        folder + "/data/s/t/y.parquet",
                        1,
                        100,
                        null,
                        below.mapping(),
                        List.of(),
                        List.of())))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("it is scheduled for deletion");
  }

  /** Many files are looked for by their folder first; one of them is known, under any spelling. */
  @ParameterizedTest
  @ValueSource(
      strings = {"s/t/new/", "s/u/new/", "s/t/new/deeper/", "elsewhere/new/", "s/t/", "s/", ""})
  void oneTakenPathAmongManyIsFound(String below) throws SQLException {
    TableName other = new TableName("s", "u");
    lake.createTable(NAME, K);
    lake.createTable(other, K);
    List<NewDataFile> many =
        IntStream.range(0, 2 * LiveContent.MANY_PATHS)
            .mapToObj(i -> invented("%s/data/%spart-%03d.parquet".formatted(folder, below, i)))
            .toList();
    lake.append(NAME, invented(folder + "/data/s/t/newer/part-007.parquet"));
    lake.append(other, many.get(7));

    assertThatThrownBy(() -> lake.commit(new Change.AddDataFiles(TABLE, many)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining(many.get(7).path());
    lake.commit(new Change.DropTable(new TableRef.ByName(other)));
    assertThatThrownBy(() -> lake.commit(new Change.AddDataFiles(TABLE, many)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("(ended)");
    lake.commit(
        new Change.AddDataFiles(
            TABLE, many.stream().filter(file -> !file.equals(many.get(7))).toList()));
    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file WHERE end_snapshot IS NULL"))
        .isEqualTo(String.valueOf(many.size()));
  }

  private NewDataFile invented(String path) {
    return new NewDataFile(
        path, 1, 100, null, lake.invented("x", 1).mapping(), List.of(), List.of());
  }

  @Test
  void deleteFilesAreCumulative() throws SQLException {
    lake.createTable(NAME, K);
    lake.append(NAME, lake.invented("f", 10));
    long file = Long.parseLong(lake.sql("SELECT data_file_id FROM ducklake_data_file"));
    lake.commit(deleting(file, "one", 3));
    lake.commit(deleting(file, "two", 5));

    assertThat(
            lake.sql(
                "SELECT delete_count, begin_snapshot, end_snapshot FROM ducklake_delete_file ORDER"
                    + " BY 1"))
        .isEqualTo("3 3 4\n5 4 null");
    assertThatThrownBy(() -> lake.commit(deleting(file, "three", 4)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("it deletes 4 rows where 5 are deleted already and the file has 10");
    assertThat(lake.sql("SELECT record_count FROM ducklake_table_stats")).isEqualTo("10");
  }

  private Change deleting(long dataFile, String name, long count) {
    return new Change.AddDeleteFiles(
        TABLE,
        List.of(
            new Change.NewDeleteFile(
                dataFile, folder + "/data/" + name + "-delete.parquet", count, 100, null)));
  }
}
