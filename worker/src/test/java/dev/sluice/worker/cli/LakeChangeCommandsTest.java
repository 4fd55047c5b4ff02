package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.embedded.DuckDbReferee;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schemas, tables and columns changed by hand, seen by a DuckDB; neither worker nor Temporal. */
class LakeChangeCommandsTest {

  @TempDir private Path folder;
  private CommandLake lake;

  @BeforeEach
  void makeLake() throws IOException {
    DuckDbReferee.assumeAvailable();
    lake = CommandLake.in(folder);
  }

  private String done(String... arguments) {
    return lake.done(arguments);
  }

  private void refused(ExitCode code, String reason, String... arguments) {
    lake.refused(code, reason, arguments);
  }

  private List<List<String>> duckDb(String sql) throws SQLException {
    return lake.duckDb(sql);
  }

  @Test
  void aTableIsMadeAndChangedAndDropped() throws SQLException {
    assertThat(done("create-schema", "shop")).startsWith("created schema shop at snapshot");
    assertThat(done("create-schema", "shop", "--if-not-exists")).startsWith("nothing to do");
    done(
        "create-table",
        "shop",
        "orders",
        "id:bigint!",
        "state:varchar=new",
        "tags:varchar[]",
        "who:struct(name text, \"e mail\" text)",
        "placed:timestamp",
        "--partitioned-by",
        "year(placed)",
        "--sorted-by",
        "id:desc");
    done("add-column", "shop", "orders", "amount:decimal(10,2)=1.50");
    done("add-column", "shop.orders", "who.age:int");
    done("rename-column", "shop", "orders", "id", "order_id");
    done("retype-column", "shop", "orders", "who.age:bigint");
    done("drop-column", "shop", "orders", "tags");
    done("comment", "shop", "orders", "what was bought");
    done("comment", "shop", "orders", "--column", "state", "how far it is");
    done("set-default", "shop", "orders", "state", "open");
    done("set-nulls", "shop", "orders", "amount", "forbidden");
    done("rename-table", "shop", "orders", "sales");

    assertThat(duckDb("SELECT column_name, column_type, \"null\" FROM (DESCRIBE shop.sales)"))
        .containsExactly(
            List.of("order_id", "BIGINT", "NO"),
            List.of("state", "VARCHAR", "YES"),
            List.of("who", "STRUCT(\"name\" VARCHAR, \"e mail\" VARCHAR, age BIGINT)", "YES"),
            List.of("placed", "TIMESTAMP", "YES"),
            List.of("amount", "DECIMAL(10,2)", "NO"));
    assertThat(
            duckDb(
                "SELECT comment FROM duckdb_tables() WHERE table_name = 'sales' UNION ALL"
                    + " SELECT comment FROM duckdb_columns() WHERE comment IS NOT NULL"))
        .containsExactly(List.of("what was bought"), List.of("how far it is"));

    done("partition-table", "shop", "sales");
    done("sort-table", "shop", "sales", "placed", "order_id:desc");
    done("drop-table", "shop", "sales");
    done("drop-schema", "shop");
    assertThat(duckDb("SELECT count(*) FROM duckdb_tables() WHERE database_name = 'lake'"))
        .containsExactly(List.of("0"));
  }

  @Test
  void whatIsDoneIsToldAsJson() throws IOException {
    JsonNode tree = new ObjectMapper().readTree(done("create-schema", "s", "--json"));

    assertThat(tree.get("done").asText()).isEqualTo("created schema s");
    assertThat(tree.get("changed").asBoolean()).isTrue();
    assertThat(tree.get("lake").asText()).isEqualTo("main");
    assertThat(tree.get("snapshot").asLong()).isEqualTo(1);
  }

  @Test
  void aNewNameWithADotIsQuoted() throws SQLException {
    done("create-schema", "\"a.b\"");
    done("create-table", "\"a.b\"", "t", "id:int");
    done("rename-table", "\"a.b\"", "t", "\"a.b.u\"");
    done("rename-column", "\"a.b\"", "\"a.b.u\"", "id", "\"t.id\"");

    assertThat(duckDb("SELECT count(\"t.id\") FROM \"a.b\".\"a.b.u\""))
        .containsExactly(List.of("0"));
  }

  @Test
  void whatMakesNoSenseIsRefusedAndChangesNothing() throws SQLException {
    done("create-schema", "s");
    done("create-table", "s", "t", "id:int", "v:varchar");

    refused(ExitCode.REFUSED, "there is a schema of that name", "create-schema", "s");
    refused(ExitCode.REFUSED, "it still holds", "drop-schema", "s");
    refused(ExitCode.REFUSED, "'integr' is no type", "create-table", "s", "u", "id:integr");
    refused(ExitCode.REFUSED, "')' is missing", "add-column", "s", "t", "m:map(int, text");
    refused(ExitCode.REFUSED, "a decimal has 1 to 38", "add-column", "s", "t", "d:decimal(40,2)");
    refused(ExitCode.REFUSED, "a second column ID", "create-table", "s", "u", "id:int", "ID:int");
    refused(ExitCode.USAGE, "required: NAME:TYPE", "create-table", "s", "u", "id");
    refused(ExitCode.REFUSED, "it may not be NULL", "add-column", "s", "t", "n:int!");
    refused(ExitCode.REFUSED, "'x' is no int32", "set-default", "s", "t", "id", "x");
    refused(ExitCode.REFUSED, "has no column nope", "drop-column", "s", "t", "nope");
    refused(ExitCode.USAGE, "required: rename-column", "rename-column", "s", "t", "id");
    refused(ExitCode.USAGE, "a name is empty", "drop-column", "s", "t", "id.");
    refused(ExitCode.USAGE, "bucket(N, COLUMN)", "partition-table", "s", "t", "decade(id)");
    refused(ExitCode.REFUSED, "has no year", "partition-table", "s", "t", "year(v)");
    refused(ExitCode.REFUSED, "is no json", "add-column", "s", "t", "j:json={");
    refused(ExitCode.USAGE, "the new name has a dot", "rename-table", "s", "t", "s.u");
    refused(ExitCode.USAGE, "the new name has a dot", "rename-column", "s", "t", "id", "t.id");
    refused(ExitCode.USAGE, "the new name has a dot", "create-schema", "a.b");
    refused(ExitCode.REFUSED, "s.nope", "drop-table", "s", "nope");
    refused(ExitCode.REFUSED, "not configured", "create-schema", "x", "--lake", "nowhere");

    assertThat(duckDb("SELECT max(snapshot_id) FROM lake.snapshots()"))
        .containsExactly(List.of("2"));
  }

  @Test
  void whatASourcePublishesIsNotChangedByTheWay() throws SQLException {
    done("create-schema", "s");
    done("create-table", "s", "t", "id:int");
    try (Connection connection = lake.database().dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO sluice.table_name VALUES ('main', 's', 't', 1, 'some-source', 'copy_v1')");
    }

    refused(
        ExitCode.REFUSED,
        "source some-source publishes to it",
        "add-column",
        "s",
        "t",
        "note:varchar");
    assertThat(done("add-column", "s", "t", "note:varchar", "--published"))
        .startsWith("added column note to s.t at snapshot");
  }
}
