package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows in every form, of a lake that stock DuckDB wrote. */
class RowOutputTest {

  private static final String HUGE = "170141183460469231731687303715884105727";

  @TempDir private static Path folder;
  private static DuckDbLake lake;

  @BeforeAll
  static void createLake() throws SQLException, IOException {
    lake = DuckDbLake.create(folder);
    lake.write(
        "CREATE TABLE t(n INT, h HUGEINT, u UUID, b BLOB, l INT[], s STRUCT(a INT, c VARCHAR),"
            + " m MAP(VARCHAR, INT), t TIME, ts TIMESTAMP, d DATE, v VARCHAR, o BOOLEAN)",
        "INSERT INTO t VALUES (1, "
            + HUGE
            + ", '11111111-2222-3333-4444-555555555555', '\\xDE\\xADA'::BLOB, [1, NULL], {'a': 1,"
            + " 'c': 'x'}, MAP{'k': 1}, '24:00:00', 'infinity', '-infinity', 'a,\"b\"', true), (2,"
            + " -5, NULL, '', [], {'a': NULL, 'c': 'y'}, MAP{}, '00:00:01', '-infinity',"
            + " '2024-02-29', '', false)",
        "CREATE SCHEMA \"my.schema\"",
        "CREATE TABLE \"my.schema\".\"select\"(\"at\" INT, \"a\"\"b\" INT)",
        "INSERT INTO \"my.schema\".\"select\" VALUES (1, 2)",
        "CREATE TABLE main.\"x\"\"; drop table y; --\"(i INT)",
        "CREATE TABLE y(i INT)",
        "CREATE TABLE c(id INT, v VARCHAR)",
        "INSERT INTO c VALUES (1, 'one'), (2, 'two')",
        "UPDATE c SET v = 'zwei' WHERE id = 2",
        "DELETE FROM c WHERE id = 1");
  }

  @AfterAll
  static void closeLake() throws SQLException {
    lake.close();
  }

  @Test
  @DisplayName("CLI-03: values are exact as a table, as CSV, as JSON and as JSON lines")
  void cli03_valuesAreExactInEveryForm() throws IOException {
    List<String> first =
        List.of(
            HUGE,
            "11111111-2222-3333-4444-555555555555",
            "DEAD41",
            "[1, NULL]",
            "{'a': 1, 'c': x}",
            "{k=1}",
            "24:00:00",
            "infinity",
            "-infinity");
    assertThat(lake.text("scan", "main.t")).contains(first).contains("-5", "[]", "{}", "NULL");
    assertThat(lake.text("scan", "main.t", "--output", "csv").split("\n"))
        .containsExactlyInAnyOrder(
            "n,h,u,b,l,s,m,t,ts,d,v,o",
            "1,"
                + HUGE
                + ",11111111-2222-3333-4444-555555555555,DEAD41,\"[1, NULL]\",\"{'a': 1, 'c': x}\","
                + "{k=1},24:00:00,infinity,-infinity,\"a,\"\"b\"\"\",true",
            "2,-5,,\"\",[],\"{'a': NULL, 'c': y}\",{},00:00:01,-infinity,2024-02-29,\"\",false");
    JsonNode rows = lake.json("scan", "main.t", "where", "n = 1").get("rows");
    assertThat(rows.get(0)).extracting(JsonNode::asText).containsAll(first);
    String[] lines = lake.text("scan", "main.t", "where", "n = 2", "--output", "jsonl").split("\n");
    assertThat(lines).hasSize(1);
    JsonNode line = new ObjectMapper().readTree(lines[0]);
    assertThat(line.get("n").isInt()).isTrue();
    assertThat(line.get("h").asText()).isEqualTo("-5");
    assertThat(line.get("u").isNull()).isTrue();
    assertThat(line.get("o").isBoolean()).isTrue();
    assertThat(line.get("v").asText()).isEmpty();
  }

  @Test
  @DisplayName("CLI-03: a Parquet file holds the same values")
  void cli03_aParquetFileHoldsTheSameValues() throws SQLException {
    Path file = folder.resolve("it's out.parquet");

    assertThat(lake.text("scan", "main.t", "--output", "parquet", "--to", file.toString()))
        .contains("2 rows");

    assertThat(
            lake.duckDb()
                .queryText(
                    "SELECT * REPLACE (h::HUGEINT AS h) FROM '%s'"
                        .formatted(file.toString().replace("'", "''"))))
        .containsExactlyInAnyOrderElementsOf(lake.duckDb().queryText("FROM lake.main.t"));
    CliRun again = lake.run("scan", "main.t", "--output", "parquet", "--to", file.toString());
    assertThat(again.exitCode()).isEqualTo(3);
    assertThat(again.err()).contains("it exists and is not overwritten");
    assertThat(lake.run("scan", "main.t", "--output", "parquet").err())
        .contains("name a new file with --to");
  }

  @Test
  void aConditionAndALimitHoldForAParquetFileToo() throws SQLException {
    Path file = folder.resolve("part.parquet");

    lake.text(
        "scan",
        "main.t",
        "columns",
        "rowid,n",
        "where",
        "n >= 1",
        "limit",
        "1",
        "--output",
        "PARQUET",
        "--to",
        file.toString());

    assertThat(lake.duckDb().queryText("SELECT count(*), count(rowid) FROM '" + file + "'"))
        .containsExactly(List.of("1", "1"));
  }

  @Test
  void textGoesIntoANewFileOnly() throws IOException {
    Path file = folder.resolve("out.csv");

    assertThat(lake.text("scan", "main.t", "columns", "n", "--output", "csv", "--to", "" + file))
        .isEmpty();

    assertThat(Files.readAllLines(file)).containsExactlyInAnyOrder("n", "1", "2");
    assertThat(lake.run("scan", "main.t", "--to", file.toString()).err())
        .contains("it exists and is not overwritten");
    assertThat(lake.run("scan", "main.t", "--json", "--output", "csv").err())
        .contains("output csv: --json asks for another form");
  }

  @Test
  @DisplayName("CLI-05: schemas, tables and columns with hostile names are read, and nothing else")
  void cli05_hostileNamesAreRead() throws SQLException {
    assertThat(
            lake.json(
                    "scan", "\"my.schema\"", "select", "columns", "a\"b,at", "where", "\"at\" = 1")
                .get("rows")
                .toString())
        .isEqualTo("[[\"2\",\"1\"]]");
    for (String command : new String[] {"scan", "describe", "files", "explain"}) {
      assertThat(lake.run(command, "\"my.schema\".select").exitCode()).as(command).isZero();
      assertThat(lake.run(command, "main", "x\"; drop table y; --").exitCode())
          .as(command)
          .isZero();
    }
    assertThat(lake.run("scan", "\"my.schema\".select", "at", "0").err())
        .contains("my.schema.select: not in snapshot 0");
    assertThat(lake.duckDb().valueText("SELECT count(*) FROM lake.main.y")).isEqualTo("0");
  }

  @Test
  void changesArePrintedInEveryForm() throws SQLException {
    JsonNode changes = lake.json("changes", "main.c", "--from", "1");

    assertThat(changes.get("columns").findValuesAsText("name"))
        .containsExactly("snapshot_id", "rowid", "change_type", "id", "v");
    long last = changes.get("to").asLong();
    assertThat(lake.text("changes", "main", "c", "--from", "1", "--output", "csv").split("\n"))
        .containsExactly(
            "snapshot_id,rowid,change_type,id,v",
            (last - 2) + ",0,insert,1,one",
            (last - 2) + ",1,insert,2,two",
            (last - 1) + ",1,update_preimage,2,two",
            (last - 1) + ",1,update_postimage,2,zwei",
            last + ",0,delete,1,one");
    assertThat(lake.json("changes", "main.c", "--from", "2001-01-01", "--limit", "1").get("rows"))
        .hasSize(1);
    assertThat(lake.run("changes", "main.c", "--from", "2999-01-01").err())
        .contains("there is no snapshot since 2999-01-01T00:00:00Z");
    assertThat(lake.run("changes", "main.c").exitCode()).isEqualTo(2);
  }
}
