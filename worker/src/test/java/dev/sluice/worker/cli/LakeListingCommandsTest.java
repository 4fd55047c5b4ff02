package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people see of a lake that stock DuckDB wrote. */
class LakeListingCommandsTest {

  @TempDir private static Path folder;
  private static DuckDbLake lake;

  @BeforeAll
  static void createLake() throws SQLException, IOException {
    lake = DuckDbLake.create(folder);
    lake.write(
        "CREATE SCHEMA s",
        "CREATE TABLE s.t(id INT NOT NULL, region VARCHAR DEFAULT 'EU', ts TIMESTAMP,"
            + " st STRUCT(a INT, b VARCHAR[]))",
        "COMMENT ON TABLE s.t IS 'what was sold'",
        "COMMENT ON COLUMN s.t.region IS 'where'",
        "ALTER TABLE s.t SET PARTITIONED BY (region, year(ts), bucket(4, id))",
        "ALTER TABLE s.t SET SORTED BY (id DESC NULLS LAST)",
        "INSERT INTO s.t SELECT i, 'EU', TIMESTAMP '2024-01-01', {'a': i, 'b': ['x']}"
            + " FROM range(100) r(i)",
        "BEGIN",
        "INSERT INTO s.t SELECT 1000 + i, 'US', TIMESTAMP '2025-01-01', NULL FROM range(50) r(i)",
        "CALL lake.set_commit_message('me', 'more of it')",
        "COMMIT",
        "INSERT INTO s.t VALUES (5000, 'EU', NULL, NULL)",
        "DELETE FROM s.t WHERE id < 40",
        "CREATE VIEW s.v AS SELECT id FROM s.t",
        "CREATE TABLE main.empty(a INT)",
        "CREATE SCHEMA nothing");
  }

  @AfterAll
  static void closeLake() throws SQLException {
    lake.close();
  }

  @Test
  void tablesListsSchemasTablesAndViews() {
    JsonNode schemas = lake.json("tables").get("schemas");

    assertThat(schemas.findValuesAsText("schema")).containsExactly("main", "s", "nothing");
    JsonNode relations = schemas.get(1).get("relations");
    assertThat(relations.findValuesAsText("name")).containsExactly("t", "v");
    assertThat(relations.get(0).get("comment").asText()).isEqualTo("what was sold");
    assertThat(relations.get(0).get("rowsInFiles").asInt()).isEqualTo(150);
    assertThat(relations.get(0).get("files").asInt()).isEqualTo(8);
    assertThat(relations.get(1).get("kind").asText()).isEqualTo("view");
    assertThat(lake.json("tables", "--at", "2").get("schemas").get(1).get("relations").size())
        .isEqualTo(1);
    assertThat(lake.text("tables", "S"))
        .contains("t", "table", "what was sold")
        .doesNotContain("empty");
    assertThat(lake.run("tables", "nope").err())
        .isEqualToIgnoringNewLines(
            "sluice: schema nope: not in snapshot "
                + lake.json("tables").get("snapshot")
                + "; the schemas there are main, s, nothing");
  }

  @Test
  void describeTellsColumnsLayoutAndSize() throws SQLException {
    JsonNode described = lake.json("describe", "s.t");

    assertThat(described.get("rows").asText())
        .isEqualTo(lake.duckDb().valueText("SELECT count(*) FROM lake.s.t"));
    assertThat(described.get("dataFiles").asInt()).isEqualTo(8);
    assertThat(described.get("inlinedRows").asInt()).isEqualTo(1);
    assertThat(described.get("partitionedBy").toString())
        .isEqualTo("[\"region\",\"year(ts)\",\"bucket(4, id)\"]");
    assertThat(described.get("sortedBy").toString()).contains("id").contains("DESC NULLS LAST");
    JsonNode columns = described.get("columns");
    assertThat(columns.findValuesAsText("type"))
        .startsWith("INTEGER", "VARCHAR", "TIMESTAMP", "STRUCT(\"a\" INTEGER, \"b\" VARCHAR[])");
    assertThat(columns.get(0).get("nullable").asBoolean()).isFalse();
    assertThat(columns.get(1).get("default").asText()).isEqualTo("EU");
    assertThat(columns.get(1).get("comment").asText()).isEqualTo("where");
    assertThat(columns.get(3).get("children")).hasSize(2);
    assertThat(lake.text("describe", "s", "t"))
        .contains("what was sold", "partitioned by  region, year(ts), bucket(4, id)", "STRUCT(");
    assertThat(lake.json("describe", "s.t", "at", "3").get("rows").asInt()).isZero();
  }

  @Test
  void filesListsWhatTheTableConsistsOf() {
    JsonNode listed = lake.json("files", "s", "t");

    assertThat(listed.get("files")).hasSize(8);
    assertThat(listed.get("files").get(0).get("partition").fieldNames())
        .toIterable()
        .containsExactly("region", "year(ts)", "bucket(4, id)");
    long rows = 0;
    long deletes = 0;
    for (JsonNode file : listed.get("files")) {
      rows += file.get("rows").asLong();
      deletes += file.get("inlinedDeletes").asLong();
      for (JsonNode delete : file.get("deleteFiles")) {
        deletes += delete.get("deletes").asLong();
      }
    }
    assertThat(rows).isEqualTo(150);
    assertThat(deletes).isEqualTo(40);
    assertThat(lake.text("files", "s.t"))
        .contains("region=US, year(ts)=2025", ".parquet", "in the catalog  1 rows");
    assertThat(lake.json("files", "s.t", "at", "7").get("files")).hasSize(4);
  }

  @Test
  void explainTellsWhyFilesAreSkipped() {
    JsonNode plan = lake.json("explain", "s.t", "where", "ts", ">=", "'2025-01-01'");

    assertThat(plan.get("condition").asText()).isEqualTo("ts >= '2025-01-01'");
    assertThat(plan.get("liveFiles").asInt()).isEqualTo(8);
    assertThat(plan.get("read")).hasSize(4);
    assertThat(plan.get("skipped")).hasSize(4);
    assertThat(plan.get("skipped").get(0).get("reasons").get(0).asText())
        .isEqualTo(
            "ts >= '2025-01-01': the file's values go from 2024-01-01 00:00:00 to 2024-01-01"
                + " 00:00:00");
    assertThat(lake.text("explain", "s", "t", "where", "id = 2000"))
        .contains("reads 0 of 8 files (0 B) and 1 rows from the catalog")
        .contains("skip", "id = 2000: the file's values go from");
    assertThat(lake.text("explain", "s.t")).contains("where true", "reads 8 of 8 files");
    assertThat(lake.run("explain", "s.t", "where", "nope = 1").err())
        .contains("table s.t: there is no column nope; the columns there are id, region");
  }

  @Test
  void snapshotsTellWhatChangedInWords() {
    JsonNode listed = lake.json("snapshots", "--limit", "100");
    JsonNode snapshots = listed.get("snapshots");

    assertThat(snapshots).hasSize(listed.get("all").asInt());
    assertThat(lake.text("snapshots"))
        .contains("created schema s", "created table s.t", "altered table s.t")
        .contains("inserted into s.t", "deleted from s.t", "created view s.v", "more of it");
    JsonNode newest = lake.json("snapshots", "--limit", "1");
    assertThat(newest.get("snapshots")).hasSize(1);
    assertThat(newest.get("snapshots").get(0).get("changes").get(0).asText())
        .isEqualTo("created schema nothing");
    assertThat(lake.text("snapshots", "--limit", "2"))
        .contains("The newest 2 of " + listed.get("all").asInt() + "; --limit shows more.");
    assertThat(lake.run("snapshots", "--limit", "0").exitCode()).isEqualTo(2);
  }

  @Test
  @DisplayName("CLI-02: what is not there is an error that names what is")
  void cli02_whatIsNotThereIsAnError() {
    for (String command : new String[] {"scan", "describe", "files", "explain"}) {
      CliRun version = lake.run(command, "s.t", "at", "9999");
      assertThat(version.exitCode()).isEqualTo(3);
      assertThat(version.out()).isEmpty();
      assertThat(version.err()).contains("snapshot 9999 does not exist", "snapshots 0 (");
      CliRun early = lake.run(command, "s.t", "at", "2001-01-01");
      assertThat(early.exitCode()).isEqualTo(3);
      assertThat(early.err()).contains("no snapshot at 2001-01-01T00:00:00Z", "snapshots 0 (");
      assertThat(lake.run(command, "s.t", "at", "soon").exitCode()).isEqualTo(2);
      assertThat(lake.run(command, "s.t", "sideways", "3").err())
          .contains(command + ": cannot make sense of 'sideways'");
    }
  }

  @Test
  @DisplayName("CLI-01: a time takes the newest snapshot that is not after it, in every spelling")
  void cli01_aTimeTakesTheNewestSnapshotNotAfterIt() throws SQLException {
    lake.updateCatalog(
        "UPDATE ducklake_snapshot SET snapshot_time = '2020-05-05 10:00:00+00' WHERE snapshot_id"
            + " < 3");
    lake.updateCatalog(
        "UPDATE ducklake_snapshot SET snapshot_time = '2020-05-06 10:00:00+00' WHERE snapshot_id"
            + " IN (3, 4)");

    for (String time :
        new String[] {
          "2020-05-06T10:00:00Z",
          "2020-05-06 10:00:00.000001",
          "2020-05-06 12:00+02:00",
          "2020-05-06 12:00:00+02",
          "2020-05-07"
        }) {
      assertThat(lake.json("files", "s.t", "at", time).get("snapshot").asInt())
          .as(time)
          .isEqualTo(4);
    }
    assertThat(lake.json("tables", "--at", "2020-05-06").get("snapshot").asInt()).isEqualTo(2);
  }
}
