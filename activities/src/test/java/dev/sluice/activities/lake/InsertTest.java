package dev.sluice.activities.lake;

import static dev.sluice.activities.lake.WriteLake.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.lake.WriteResult.Outcome;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.TableNotFoundException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows of every source are added, and DuckDB reads them as they were given. */
class InsertTest {

  private static final TableName T = new TableName("s", "t");

  @TempDir Path folder;
  private WriteLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = WriteLake.own(folder);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private void createPeople() {
    lake.create(
        T,
        new ColumnSpec("id", Scalar.INT32, Nulls.FORBIDDEN, null, List.of()),
        ColumnSpec.of("name", Scalar.VARCHAR),
        ColumnSpec.of("price", new Decimal(6, 2)),
        ColumnSpec.of("seen", Scalar.TIMESTAMP));
  }

  @Test
  void aSelectNamesTablesAndViewsOfTheLake() throws Exception {
    TableName from = new TableName("other", "numbers");
    lake.create(T, ColumnSpec.of("a", Scalar.INT32), ColumnSpec.of("b", Scalar.INT32));
    lake.create(from, ColumnSpec.of("n", Scalar.INT32));
    lake.insert(from, "SELECT range::INT AS n FROM range(10)");
    lake.run("CREATE VIEW other.odd AS SELECT n FROM other.numbers WHERE n % 2 = 1");

    lake.insert(T, "SELECT n AS a, n * n AS b FROM other.numbers WHERE n > 6");
    lake.insert(T, "SELECT -o.n AS a, x.b FROM other.odd o JOIN " + T + " x ON x.a = o.n");

    assertThat(lake.duckDb.queryText("FROM " + T + " ORDER BY a"))
        .containsExactly(
            List.of("-9", "81"),
            List.of("-7", "49"),
            List.of("7", "49"),
            List.of("8", "64"),
            List.of("9", "81"));
    assertThatThrownBy(() -> lake.insert(T, "SELECT n AS a FROM other.nowhere"))
        .isInstanceOf(TableNotFoundException.class)
        .hasMessageContaining("table other.nowhere: not in snapshot");
  }

  @Test
  void valuesAreReadAsWhatTheColumnsAre() throws Exception {
    createPeople();

    WriteResult result =
        lake.insert(
            T,
            List.of("ID", "name", "price"),
            List.of(row("1", "x", "1.5"), row("2", null, null), row("3", "", "-0.05")));

    assertThat(result.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(result.inserted()).isEqualTo(3);
    assertThat(result.files()).isEqualTo(1);
    assertThat(result.snapshotId()).isEqualTo(lake.newest());
    assertThat(lake.rows("SELECT * FROM s.t ORDER BY id"))
        .containsExactly(
            row("1", "x", "1.50", null), row("2", null, null, null), row("3", "", "-0.05", null));
    assertThat(lake.rows("SELECT count(*), min(id), max(price), min(name) FROM s.t"))
        .containsExactly(row("3", "1", "1.50", ""));
    assertThat(lake.rows("SELECT id FROM s.t WHERE price < 0")).containsExactly(row("3"));
    lake.assertAgreesEverywhere();
    assertThat(lake.objects()).hasSize(1);
  }

  @Test
  void filesOfEveryFormatAreRead() throws Exception {
    createPeople();
    Path csv =
        Files.writeString(folder.resolve("a'b.csv"), "name,id\n\"x, \"\"y\"\"\",1\n,2\n\"\",3\n");
    Path json =
        Files.writeString(
            folder.resolve("a.json"),
            "[{\"id\": 4, \"price\": 2.5}, {\"id\": \"5\", \"name\": \"q\\\"\", \"price\": null}]");
    lake.run(
        "COPY (SELECT 6::SMALLINT AS id, 9.99::DECIMAL(4,2) AS price, DATE '2024-02-29' AS seen) TO '%s'"
            .formatted(folder.resolve("a.parquet")));

    lake.tables.insert(InsertRequest.of(T, new RowSource.Csv(csv)));
    lake.tables.insert(InsertRequest.of(T, new RowSource.Json(json)));
    lake.tables.insert(InsertRequest.of(T, new RowSource.Parquet(folder.resolve("a.parquet"))));
    lake.insert(T, "SELECT 7::BIGINT AS id, 'z' AS name UNION ALL SELECT 8, NULL;");

    assertThat(lake.rows("SELECT * FROM s.t ORDER BY id"))
        .containsExactly(
            row("1", "x, \"y\"", null, null),
            row("2", null, null, null),
            row("3", "", null, null),
            row("4", null, "2.50", null),
            row("5", "q\"", null, null),
            row("6", null, "9.99", "2024-02-29 00:00:00"),
            row("7", "z", null, null),
            row("8", null, null, null));
    lake.assertAgreesEverywhere();
  }

  @Test
  void columnsCanBeFedByPlaceAndTheOthersGetTheirDefault() throws Exception {
    lake.run(
        "CREATE SCHEMA s",
        "CREATE TABLE s.t (a INT, b INT, c VARCHAR DEFAULT 'it''s',"
            + " d DATE DEFAULT (DATE '2024-01-01' + 1))");

    lake.tables.insert(
        InsertRequest.of(T, new RowSource.Select("SELECT 1, 2")).into(List.of("b", "a")));

    assertThat(lake.rows("SELECT * FROM s.t")).containsExactly(row("2", "1", "it's", "2024-01-02"));
  }

  @Test
  @DisplayName("WFL-03: equal content is no repeat, the same batch is")
  void wfl03ABatchIsTakenOnce() throws Exception {
    lake.create(T, ColumnSpec.of("k", Scalar.INT32));
    InsertRequest rows =
        InsertRequest.of(T, new RowSource.Select("SELECT range::INT AS k FROM range(10)"));

    WriteResult a = lake.tables.insert(rows.asBatch("A"));
    lake.tables.insert(rows.asBatch("B"));
    long newest = lake.newest();
    WriteResult second = lake.tables.insert(rows.asBatch("A"));
    WriteResult third = lake.tables.insert(rows.asBatch("A"));

    assertThat(a.inserted()).isEqualTo(10);
    for (WriteResult repeat : List.of(second, third)) {
      assertThat(repeat.outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
      assertThat(repeat.snapshotId()).isEqualTo(a.snapshotId());
      assertThat(repeat.inserted()).isZero();
    }
    assertThat(lake.newest()).isEqualTo(newest);
    assertThat(lake.value("SELECT count(*) FROM s.t")).isEqualTo("20");
    assertThat(lake.objects()).hasSize(2);
  }

  @Test
  void noRowsMakeNoSnapshot() throws Exception {
    createPeople();
    long newest = lake.newest();

    WriteResult result = lake.insert(T, "SELECT 1 AS id WHERE FALSE");

    assertThat(result.outcome()).isEqualTo(Outcome.NOTHING_TO_DO);
    assertThat(lake.newest()).isEqualTo(newest);
    assertThat(lake.objects()).isEmpty();
  }

  @Test
  void specialFloatsAreKept() throws Exception {
    lake.create(T, ColumnSpec.of("f", Scalar.FLOAT64));

    lake.insert(T, List.of("f"), List.of(row("NaN"), row("inf"), row("-inf"), row("1.5")));

    assertThat(lake.rows("SELECT f FROM s.t WHERE f > 1 ORDER BY f"))
        .containsExactly(row("1.5"), row("inf"), row("nan"));
    assertThat(lake.value("SELECT max(f) FROM s.t")).isEqualTo("nan");
    assertThat(lake.value("SELECT count(*) FROM s.t WHERE isnan(f)")).isEqualTo("1");
  }

  @Test
  void nanBesideASingleOtherValueIsFound() throws Exception {
    lake.create(T, ColumnSpec.of("f", Scalar.FLOAT64));

    lake.insert(T, List.of("f"), List.of(row("NaN"), row("1.0"), row((String) null)));

    assertThat(lake.rows("SELECT f FROM s.t WHERE f <> 1.0")).containsExactly(row("nan"));
    assertThat(lake.rows("SELECT f FROM s.t WHERE f = 1.0")).containsExactly(row("1.0"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT 1 AS id, 2 AS nope          | there is no column nope; the columns of the table are id, name, price, seen
          SELECT 1 AS id, 2 AS "ID"          | column ID is given twice
          SELECT 1.5 AS id                   | column id is int32 and cannot take DECIMAL(2,1)
          SELECT 1.5::DOUBLE AS id           | column id is int32 and cannot take DOUBLE
          SELECT TRUE AS id                  | column id is int32 and cannot take BOOLEAN
          SELECT 1 AS id, [1] AS name        | column name is varchar and cannot take INTEGER[]
          SELECT 1 AS id, TRUE AS price      | column price is decimal(6,2) and cannot take BOOLEAN
          SELECT 3000000000 AS id            | column id is INTEGER and cannot hold '3000000000'
          SELECT 1 AS id, 123456 AS price    | column price is DECIMAL(6, 2) and cannot hold '123456'
          SELECT '1.5' AS id                 | column id takes whole numbers, not '1.5'
          SELECT 'x' AS id                   | column id is INTEGER and cannot hold 'x'
          SELECT 1 AS id, '' AS seen         | column seen is TIMESTAMP and cannot hold ''
          SELECT NULL::INT AS id             | column id is NOT NULL and 1 rows have no value there
          SELECT 'x' AS name                 | column id gets no value; it is NOT NULL and has no default
          SELECT * FROM nowhere              | the rows to write cannot be had
          DELETE FROM s.t                    | Only SELECT statements can be serialized
          SELECT 1 AS id; SELECT 2 AS id     | it holds 2 statements
          SELECT error('x y')::INT AS id     | x y
          """)
  void whatDoesNotFitIsRefusedAndNothingIsWritten(String select, String reason) throws Exception {
    createPeople();
    long newest = lake.newest();

    assertThatThrownBy(() -> lake.insert(T, select))
        .isInstanceOf(WriteException.class)
        .hasMessageStartingWith("insert into s.t: ")
        .hasMessageContaining(reason)
        .hasMessageContaining("nothing was written");

    assertThat(lake.newest()).isEqualTo(newest);
    assertThat(lake.objects()).isEmpty();
    assertThat(folder.resolve("write").toFile().list()).isEmpty();
  }

  @Test
  void nullsAreFoundWhereFilesDoNotCountThem() throws Exception {
    lake.create(
        T,
        ColumnSpec.of("id", Scalar.INT32),
        new ColumnSpec(
            "l",
            Nested.LIST,
            Nulls.FORBIDDEN,
            null,
            List.of(ColumnSpec.of("element", Scalar.INT32))),
        new ColumnSpec("i", Scalar.INTERVAL, Nulls.FORBIDDEN, null, List.of()));

    assertThatThrownBy(() -> lake.insert(T, "SELECT NULL::INT[] AS l, INTERVAL 1 DAY AS i"))
        .isInstanceOf(WriteException.class)
        .hasMessageContaining("column l is NOT NULL and a row has no value there");
    assertThatThrownBy(() -> lake.insert(T, "SELECT [1] AS l, NULL::INTERVAL AS i"))
        .isInstanceOf(WriteException.class)
        .hasMessageContaining("column i is NOT NULL and a row has no value there");
    lake.insert(
        T, "SELECT [NULL, 1] AS l, INTERVAL 1 DAY AS i UNION ALL SELECT [], INTERVAL 0 DAY");

    assertThat(lake.rows("SELECT l, i FROM s.t ORDER BY i DESC"))
        .containsExactly(row("[NULL, 1]", "1 day"), row("[]", "00:00:00"));
  }

  @Test
  void textThatIsNoUtf8IsRefused() throws Exception {
    createPeople();
    Path csv = folder.resolve("latin.csv");
    Files.write(csv, "id,name\n1,caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
    Path header = folder.resolve("header.csv");
    Files.write(header, "id,nam\u00e9\n1,x\n".getBytes(StandardCharsets.ISO_8859_1));

    assertThatThrownBy(() -> lake.tables.insert(InsertRequest.of(T, new RowSource.Csv(csv))))
        .isInstanceOf(WriteException.class)
        .hasMessageContaining("CSV Error on Line: 2");
    assertThatThrownBy(() -> lake.tables.insert(InsertRequest.of(T, new RowSource.Csv(header))))
        .isInstanceOf(WriteException.class)
        .hasMessageContaining("it is not in UTF-8");
    assertThatThrownBy(
            () -> lake.insert(T, List.of("id", "name"), List.of(row("1", "half \ud800 pair"))))
        .isInstanceOf(WriteException.class)
        .hasMessageContaining("a value of column name is no valid text");
    assertThat(lake.objects()).isEmpty();
  }

  @Test
  void aFileWhoseHeaderNamesAColumnTwiceIsRefused() throws Exception {
    createPeople();
    Path csv = Files.writeString(folder.resolve("twice.csv"), "id,Id\n1,2\n");
    Path json = Files.writeString(folder.resolve("twice.json"), "{\"id\": 1, \"id\": 2}\n");

    assertThatThrownBy(() -> lake.tables.insert(InsertRequest.of(T, new RowSource.Csv(csv))))
        .isInstanceOf(WriteException.class)
        .hasMessageContaining("column Id is given twice");
    assertThatThrownBy(() -> lake.tables.insert(InsertRequest.of(T, new RowSource.Json(json))))
        .isInstanceOf(WriteException.class)
        .hasMessageContaining("duplicate key \"id\"");
  }

  @Test
  @DisplayName("CLI-05: reserved words, dots and quotes in names are names")
  void cli05AwkwardNamesAreWrittenAsSuch() throws Exception {
    TableName quoted = new TableName("my.schema", "x\"; drop table y; --");
    TableName select = new TableName("my.schema", "select");
    TableName y = new TableName("my.schema", "y");
    for (TableName name : List.of(quoted, select, y)) {
      lake.create(name, ColumnSpec.of("at", Scalar.INT32), ColumnSpec.of("a\"b", Scalar.VARCHAR));
      lake.insert(name, List.of("at", "a\"b"), List.of(row("1", "'; --"), row("2", null)));
    }

    for (TableName name : List.of(quoted, select, y)) {
      assertThat(
              lake.rows(
                  "SELECT * FROM \"my.schema\".\"%s\" ORDER BY \"at\""
                      .formatted(name.table().replace("\"", "\"\""))))
          .containsExactly(row("1", "'; --"), row("2", null));
    }
    WriteResult deleted =
        lake.tables.delete(
            quoted, RowCondition.sql("\"at\" = 1 AND \"a\"\"b\" IS NOT NULL"), CommitNote.NONE);
    assertThat(deleted.deleted()).isEqualTo(1);
    assertThat(lake.value("SELECT count(*) FROM \"my.schema\".y")).isEqualTo("2");
    lake.assertAgreesEverywhere();
  }

  @Test
  void aLakeThatWantsMessagesGetsOne() throws Exception {
    createPeople();
    lake.run("CALL lake.set_option('require_commit_message', true)");

    assertThatThrownBy(() -> lake.insert(T, "SELECT 1 AS id"))
        .isInstanceOf(WriteException.class)
        .hasMessageContaining("a commit message is missing");
    lake.tables.insert(
        new InsertRequest(
            T,
            new RowSource.Select("SELECT 1 AS id"),
            List.of(),
            null,
            new CommitNote("me", "because")));

    assertThat(
            lake.rows(
                "SELECT author, commit_message FROM ducklake_last_committed_snapshot('lake') l JOIN lake.snapshots() s ON s.snapshot_id = %d LIMIT 1"
                    .formatted(lake.newest())))
        .containsExactly(row("me", "because"));
  }
}
