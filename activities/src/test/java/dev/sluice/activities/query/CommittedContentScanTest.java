package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.Predicate.Operator;
import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Field cases of the catalog whose answer our own scan has to give as well as DuckDB. */
class CommittedContentScanTest {

  private static final TableName NAME = new TableName("s", "t");
  private static final TableRef TABLE = new TableRef.ByName(NAME);
  private static final ColumnSpec K = ColumnSpec.of("k", Scalar.INT32);

  @TempDir Path folder;
  private OwnLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = OwnLake.create(folder);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  @Test
  @DisplayName("CAT-07: a relative path is read from where the lake moved, an absolute one stays")
  void cat07PathsAreReadAfterAMove() throws Exception {
    lake.createTable(NAME, K);
    NewDataFile below = lake.file(folder.resolve("data/s/t/below.parquet"), "SELECT 2::INT AS k");
    NewDataFile absolute =
        lake.file(folder.resolve("elsewhere/foreign.parquet"), "SELECT 1::INT AS k");
    lake.commit(new Change.AddDataFiles(TABLE, List.of(below, absolute)));
    assertThat(lake.scan(NAME)).containsExactlyInAnyOrder(List.of("1"), List.of("2"));

    Path moved = folder.resolve("moved/s/t/below.parquet");
    Files.createDirectories(moved.getParent());
    Files.move(Path.of(below.path()), moved);
    try (Connection connection = lake.database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE ducklake_metadata SET value = '" + folder + "/moved/' WHERE key = 'data_path'");
    }
    lake.reopen();

    assertThat(lake.scan(NAME)).containsExactlyInAnyOrder(List.of("1"), List.of("2"));
    try (DuckLakeSession session = lake.attach()) {
      assertThat(session.valueText("SELECT string_agg(k, ',' ORDER BY k) FROM s.t"))
          .isEqualTo("1,2");
    }
  }

  @Test
  @DisplayName("CAT-13: the name is read right at every snapshot of five swaps by rename")
  void cat13EverySnapshotOfTheSwapsIsReadRight() throws SQLException {
    lake.createTable(NAME, K);
    TableName next = new TableName("s", "t_new");
    for (int i = 0; i < 5; i++) {
      lake.createTable(next, K);
      NewDataFile file = lake.file("SELECT %d::INT AS k".formatted(i));
      lake.commit(new Change.AddDataFiles(new TableRef.ByName(next), List.of(file)));
      Snapshot swapped =
          lake.catalog()
              .reader()
              .snapshot(
                  lake.commit(
                          new Change.RenameTable(TABLE, "t_old"),
                          new Change.RenameTable(new TableRef.ByName(next), "t"),
                          new Change.DropTable(TableRef.name("s", "t_old")))
                      .snapshotId());

      assertThat(lake.scan(ScanRequest.all(NAME, swapped)))
          .containsExactly(List.of(Integer.toString(i)));
      Snapshot before = lake.catalog().reader().snapshot(swapped.id() - 1);
      assertThat(lake.scan(ScanRequest.all(NAME, before)))
          .isEqualTo(i == 0 ? List.of() : List.of(List.of(Integer.toString(i - 1))));
    }
  }

  @Test
  @DisplayName("CAT-16: values of before and after a widening are found, at old snapshots too")
  void cat16ValuesOfBeforeAndAfterAWideningAreFound() throws SQLException {
    lake.createTable(NAME, ColumnSpec.of("c", Scalar.INT32));
    long old =
        lake.commit(
                new Change.AddDataFiles(
                    TABLE, List.of(bounded(lake.file("SELECT 1000::INT AS c"), "1000"))))
            .snapshotId();
    NewDataFile wide = bounded(lake.file("SELECT 3000000000 AS c, 1::INT AS d"), "3000000000");
    lake.commit(
        new Change.RetypeColumn(TABLE, List.of("c"), Scalar.INT64),
        new Change.AddColumn(TABLE, List.of(), ColumnSpec.of("d", Scalar.INT32)),
        new Change.AddDataFiles(TABLE, List.of(wide)));

    assertThat(lake.scan(where("1000", lake.catalog().reader().latest())))
        .containsExactly(Arrays.asList("1000", null));
    assertThat(lake.scan(where("3000000000", lake.catalog().reader().latest())))
        .containsExactly(List.of("3000000000", "1"));
    assertThat(lake.scan(where("1000", lake.catalog().reader().snapshot(old))))
        .containsExactly(List.of("1000"));
    assertThat(lake.duckDb.queryText("SELECT c, d FROM s.t WHERE c = 1000"))
        .containsExactly(Arrays.asList("1000", null));
  }

  private static NewDataFile bounded(NewDataFile file, String value) {
    return new NewDataFile(
        file.path(),
        file.recordCount(),
        file.fileSizeBytes(),
        file.footerSize(),
        file.mapping(),
        List.of(),
        List.of(new LeafStatistics(List.of("c"), 10, 1L, 0L, value, value, null, null)));
  }

  private static ScanRequest where(String value, Snapshot snapshot) {
    return ScanRequest.all(NAME, snapshot)
        .where(Predicate.compare("c", Operator.EQUAL, new Literal(Scalar.INT64, value)));
  }

  @Test
  @DisplayName("CAT-18: awkward names and values are scanned unchanged")
  void cat18AwkwardNamesAndValuesAreScannedUnchanged() throws SQLException {
    TableName name = new TableName("my \"s\"", "select");
    List<String> columns = List.of("a'b\"c", "order", "naïve 列", "x.y");
    lake.createTable(
        name,
        columns.stream()
            .map(column -> ColumnSpec.of(column, Scalar.VARCHAR))
            .toArray(ColumnSpec[]::new));
    String value = "\"'\\;--$$";
    lake.commit(
        new Change.AddDataFiles(
            new TableRef.ByName(name),
            List.of(
                lake.file(
                    "SELECT '\"''\\;--$$' AS \"a'b\"\"c\", 'o' AS \"order\", 'n' AS \"naïve 列\","
                        + " 'x' AS \"x.y\""))));

    assertThat(lake.scan(name)).containsExactly(List.of(value, "o", "n", "x"));
    ScanRequest found =
        ScanRequest.all(name, lake.catalog().reader().latest())
            .where(Predicate.compare("a'b\"c", Operator.EQUAL, new Literal(Scalar.VARCHAR, value)));
    assertThat(lake.scan(found)).hasSize(1);
    assertThat(lake.duckDb.queryText("SELECT * FROM \"my \"\"s\"\"\".\"select\""))
        .isEqualTo(lake.scan(name));
  }
}
