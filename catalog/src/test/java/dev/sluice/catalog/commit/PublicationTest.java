package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult.Outcome;
import dev.sluice.catalog.error.InvalidChangeException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublicationTest {

  private static final TableName NAME = new TableName("s", "t");
  private static final List<ColumnSpec> COLUMNS =
      List.of(ColumnSpec.of("id", Scalar.INT32), ColumnSpec.of("v", Scalar.VARCHAR));

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
  void firstPublicationMakesSchemaAndTable() throws SQLException {
    NewDataFile file = lake.file("SELECT 1::INT AS id, 'a' AS v UNION ALL SELECT 2, NULL");

    CommitResult result = lake.commit(TestLake.publish(NAME, COLUMNS, file));

    assertThat(result.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(result.snapshotId()).isEqualTo(1);
    assertThat(lake.ask("FROM s.t ORDER BY id")).isEqualTo("1 a\n2 null");
    assertThat(
            lake.ask(
                "SELECT changes::VARCHAR FROM ducklake_snapshots('lake') WHERE snapshot_id = 1"))
        .contains("schemas_created=[s]")
        .contains("tables_created=[s.t]");
  }

  @Test
  void nextPublicationReplacesTheContentAndKeepsTheTable() throws SQLException {
    lake.commit(TestLake.publish(NAME, COLUMNS, lake.file("SELECT 1::INT AS id, 'a' AS v")));
    String before = lake.ask("SELECT table_id FROM ducklake_table_info('lake')");

    CommitResult second =
        lake.commit(
            TestLake.publish(
                NAME, COLUMNS, lake.file("SELECT 7::INT AS id, 'z' AS v FROM range(3)")));

    assertThat(lake.ask("SELECT count(*), min(id), max(id), min(v) FROM s.t")).isEqualTo("3 7 7 z");
    assertThat(
            lake.ask("SELECT id, v FROM s.t AT (VERSION => %d)".formatted(second.snapshotId() - 1)))
        .isEqualTo("1 a");
    assertThat(lake.ask("SELECT table_id FROM ducklake_table_info('lake')")).isEqualTo(before);
  }

  @Test
  void boundsAreRightAfterAnOverwriteWithAsManyRows() throws SQLException {
    lake.commit(TestLake.publish(NAME, COLUMNS, lake.file("SELECT 1000::INT AS id, 'a' AS v")));
    assertThat(lake.ask("SELECT min(id), max(id) FROM s.t")).isEqualTo("1000 1000");

    lake.commit(TestLake.publish(NAME, COLUMNS, lake.file("SELECT 5::INT AS id, 'b' AS v")));

    assertThat(lake.ask("SELECT min(id), max(id), min(v) FROM s.t")).isEqualTo("5 5 b");
    assertThat(lake.ask("SELECT count(*) FROM s.t WHERE id = 5")).isEqualTo("1");
    assertThat(lake.ask("SELECT count(*) FROM s.t AT (VERSION => 1) WHERE id = 1000"))
        .isEqualTo("1");
  }

  @Test
  void emptyGenerationPublishesAnEmptyTable() throws SQLException {
    lake.commit(TestLake.publish(NAME, COLUMNS, lake.file("SELECT 1::INT AS id, 'a' AS v")));

    lake.commit(TestLake.publish(NAME, COLUMNS));

    assertThat(lake.ask("SELECT count(*) FROM s.t")).isEqualTo("0");
  }

  @Test
  void columnsFollowTheContentByName() throws SQLException {
    lake.commit(TestLake.publish(NAME, COLUMNS, lake.file("SELECT 1::INT AS id, 'a' AS v")));
    List<ColumnSpec> wider =
        List.of(ColumnSpec.of("ID", Scalar.INT64), ColumnSpec.of("added", Scalar.FLOAT64));

    lake.commit(
        TestLake.publish(
            NAME, wider, lake.file("SELECT 3000000000::BIGINT AS \"ID\", 1.5::DOUBLE AS added")));

    assertThat(lake.ask("FROM s.t")).isEqualTo("3000000000 1.5");
    assertThat(lake.ask("SELECT count(*) FROM s.t WHERE id = 3000000000")).isEqualTo("1");
    assertThat(lake.ask("SELECT id, v FROM s.t AT (VERSION => 1)")).isEqualTo("1 a");
  }

  @Test
  void columnThatIsMadeAgainInAnotherTypeKeepsItsComment() throws SQLException {
    lake.commit(TestLake.publish(NAME, COLUMNS, lake.file("SELECT 1::INT AS id, 'a' AS v")));
    lake.duck.execute("COMMENT ON COLUMN s.t.v IS 'what it means'");
    List<ColumnSpec> other =
        List.of(ColumnSpec.of("id", Scalar.INT32), ColumnSpec.of("v", Scalar.DATE));

    lake.commit(
        TestLake.publish(NAME, other, lake.file("SELECT 1::INT AS id, DATE '2026-01-01' AS v")));

    assertThat(
            lake.ask(
                "SELECT data_type, comment FROM duckdb_columns() WHERE table_name = 't'"
                    + " AND schema_name = 's' AND column_name = 'v'"))
        .isEqualTo("DATE what it means");
    assertThat(lake.ask("FROM s.t")).isEqualTo("1 2026-01-01");
    assertThat(lake.ask("FROM s.t AT (VERSION => 1)")).isEqualTo("1 a");
  }

  @Test
  void policyFailRefusesAnyDifference() throws SQLException {
    lake.commit(TestLake.publish(NAME, COLUMNS, lake.file("SELECT 1::INT AS id, 'a' AS v")));
    NewDataFile file = lake.file("SELECT 1::INT AS id");

    assertThatThrownBy(
            () ->
                lake.commit(
                    new Change.ReplaceContent(
                        NAME,
                        COLUMNS.subList(0, 1),
                        List.of(),
                        List.of(file),
                        SchemaPolicy.FAIL,
                        ForeignContent.REFUSE,
                        null)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("table s.t: the new content does not fit; column v is missing");
    assertThat(lake.ask("FROM s.t")).isEqualTo("1 a");
  }

  @Test
  void contentOfOthersIsRefusedOrReplacedByPolicyNeverDroppedSilently() throws SQLException {
    lake.commit(TestLake.publish(NAME, COLUMNS, lake.file("SELECT 1::INT AS id, 'a' AS v")));
    lake.duck.execute("INSERT INTO s.t VALUES (2, 'foreign')");
    NewDataFile file = lake.file("SELECT 3::INT AS id, 'c' AS v");

    assertThatThrownBy(() -> lake.commit(TestLake.publish(NAME, COLUMNS, file)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining(
            "was changed by others since Sluice last published it; 1 data files were added");

    lake.commit(
        new Change.ReplaceContent(
            NAME,
            COLUMNS,
            List.of(),
            List.of(file),
            SchemaPolicy.SYNC,
            ForeignContent.REPLACE,
            null));
    assertThat(lake.ask("FROM s.t")).isEqualTo("3 c");
  }

  @Test
  void fileSharedWithTheLiveContentKeepsItsRow() throws SQLException {
    NewDataFile shared = lake.file("SELECT 1::INT AS id, 'a' AS v");
    NewDataFile gone = lake.file("SELECT 2::INT AS id, 'b' AS v");
    NewDataFile added = lake.file("SELECT 3::INT AS id, 'c' AS v");
    lake.commit(TestLake.publish(NAME, COLUMNS, shared, gone));

    lake.commit(TestLake.publish(NAME, COLUMNS, shared, added));

    assertThat(lake.ask("FROM s.t ORDER BY id")).isEqualTo("1 a\n3 c");
    assertThat(lake.ask("SELECT rowid FROM s.t ORDER BY id")).isEqualTo("0\n2");
  }

  @Test
  void pathOfAnEndedRowIsRefusedForEver() throws SQLException {
    NewDataFile first = lake.file("SELECT 1::INT AS id, 'a' AS v");
    lake.commit(TestLake.publish(NAME, COLUMNS, first));
    lake.commit(TestLake.publish(NAME, COLUMNS, lake.file("SELECT 2::INT AS id, 'b' AS v")));

    assertThatThrownBy(() -> lake.commit(TestLake.publish(NAME, COLUMNS, first)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("an object belongs to one data file row for ever");
  }

  @Test
  void sameKeyIsAnsweredWithTheFirstSnapshot() throws SQLException {
    CommitRequest request =
        CommitRequest.of(
                "publish",
                new Base.Newest(),
                List.of(
                    TestLake.publish(NAME, COLUMNS, lake.file("SELECT 1::INT AS id, 'a' AS v"))))
            .withKey("attempt-1");

    CommitResult first = lake.catalog.commit(request);
    CommitResult again = lake.catalog.commit(request);

    assertThat(again.outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
    assertThat(again.snapshotId()).isEqualTo(first.snapshotId());
    assertThat(lake.ask("SELECT count(*) FROM s.t")).isEqualTo("1");
  }

  @Test
  @DisplayName("rows that DuckDB inlined are ended by an overwrite, also with a changed column")
  void inlinedRowsAreEnded() throws SQLException {
    lake.commit(TestLake.publish(NAME, COLUMNS, lake.file("SELECT 1::INT AS id, 'a' AS v")));
    lake.duck.execute("CALL lake.set_option('data_inlining_row_limit', '10')");
    try (var other = lake.attach()) {
      other.execute("INSERT INTO s.t VALUES (2, 'inlined')");
      assertThat(lake.ask("SELECT count(*) FROM s.t")).isEqualTo("2");
      NewDataFile file = lake.file("SELECT 3::INT AS id, 'c' AS v, 1::INT AS w");

      lake.commit(
          new Change.ReplaceContent(
              NAME,
              List.of(COLUMNS.get(0), COLUMNS.get(1), ColumnSpec.of("w", Scalar.INT32)),
              List.of(),
              List.of(file),
              SchemaPolicy.SYNC,
              ForeignContent.REPLACE,
              null));

      assertThat(lake.ask("FROM s.t")).isEqualTo("3 c 1");
      other.execute("INSERT INTO s.t VALUES (4, 'd', 2)");
      assertThat(lake.ask("FROM s.t ORDER BY id")).isEqualTo("3 c 1\n4 d 2");
    }
  }

  @Test
  void deletesInsideTheCatalogAreForeignContentToo() throws SQLException {
    lake.commit(
        TestLake.publish(
            NAME, COLUMNS, lake.file("SELECT i::INT AS id, 'a' AS v FROM range(20) x(i)")));
    try (var inlining = lake.attachInlining()) {
      inlining.execute("DELETE FROM s.t WHERE id = 3");
    }
    NewDataFile file = lake.file("SELECT 1::INT AS id, 'b' AS v");

    assertThatThrownBy(() -> lake.commit(TestLake.publish(NAME, COLUMNS, file)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("1 rows were deleted inside the catalog");
    assertThat(lake.ask("SELECT count(*) FROM s.t")).isEqualTo("19");
  }

  @Test
  void laterContentOfOneRequestReplacesTheEarlier() throws SQLException {
    NewDataFile earlier = lake.file("SELECT 1::INT AS id, 'a' AS v");
    NewDataFile later = lake.file("SELECT 2::INT AS id, 'b' AS v");

    lake.commit(TestLake.publish(NAME, COLUMNS, earlier), TestLake.publish(NAME, COLUMNS, later));

    assertThat(lake.ask("FROM s.t")).isEqualTo("2 b");
  }

  @Test
  void oneObjectInTwoTablesOfOneRequestIsRefused() throws SQLException {
    NewDataFile file = lake.file("SELECT 1::INT AS id, 'a' AS v");

    assertThatThrownBy(
            () ->
                lake.commit(
                    TestLake.publish(NAME, COLUMNS, file),
                    TestLake.publish(new TableName("s", "u"), COLUMNS, file)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("this request names it twice");
  }

  @Test
  void namesThatDifferInTheCaseOfOtherLettersAreTwoTablesAsForDuckDb() throws SQLException {
    lake.duck.execute(
        "CREATE TABLE main.\"é\" (id INT, v VARCHAR); CREATE TABLE main.\"É\" (id INT, v VARCHAR)");

    lake.commit(
        TestLake.publish(
            new TableName("main", "É"), COLUMNS, lake.file("SELECT 1::INT AS id, 'a' AS v")));

    assertThat(
            lake.ask("SELECT (SELECT count(*) FROM main.\"é\"), (SELECT count(*) FROM main.\"É\")"))
        .isEqualTo("0 1");
  }

  @Test
  void defaultThatIsNoConstantOfTheTypeIsRefusedAlsoForANewTable() {
    List<ColumnSpec> columns =
        List.of(new ColumnSpec("id", Scalar.INT32, Nulls.ALLOWED, "many", List.of()));

    assertThatThrownBy(
            () ->
                lake.commit(
                    new Change.CreateTable(
                        new TableName("main", "d"), columns, List.of(), IfExists.REFUSE)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("'many' is no int32");
  }
}
