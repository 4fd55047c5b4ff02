package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.worker.repl.Repl;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows written from the command line and at the prompt, seen by a DuckDB. */
class RowCommandsTest {

  @TempDir private Path folder;
  private CommandLake lake;

  @BeforeEach
  void makeTable() throws IOException {
    DuckDbReferee.assumeAvailable();
    lake = CommandLake.in(folder);
    lake.done("create-schema", "s");
    lake.done("create-table", "s", "t", "id:int!", "name:varchar=nobody", "score:double");
  }

  private List<List<String>> rows() throws SQLException {
    return lake.duckDb("SELECT * FROM s.t ORDER BY id");
  }

  @Test
  void rowsAreInsertedUpdatedAndDeleted() throws SQLException {
    assertThat(lake.done("insert", "s", "t", "id=1", "name=it's", "score=1.5"))
        .startsWith("s.t: 1 rows inserted, 0 updated, 0 deleted, 1 files written");
    lake.done("insert", "s.t", "id=2");
    lake.done("insert", "s", "t", "id=3", "name=NULL", "score=inf");
    assertThat(
            lake.done(
                "update",
                "s",
                "t",
                "set",
                "score = id * 2.0, name = 'x, y'",
                "where",
                "id >= 2 and name is not null"))
        .contains("0 rows inserted, 1 updated");
    assertThat(rows())
        .containsExactly(
            List.of("1", "it's", "1.5"), List.of("2", "x, y", "4.0"), List.of("3", "NULL", "inf"));

    assertThat(lake.done("delete", "s", "t", "where", "id = 3")).contains("1 deleted");
    assertThat(lake.done("delete", "s", "t", "id", "=", "3")).contains("no row was concerned");
    lake.done("upsert", "s", "t", "--key", "id", "id=1", "score=9");
    assertThat(rows()).containsExactly(List.of("1", "it's", "9.0"), List.of("2", "x, y", "4.0"));
    lake.done("truncate", "s", "t");
    assertThat(rows()).isEmpty();
  }

  @Test
  @DisplayName("WFL-03: a batch is taken once, equal rows of another batch are no repeat")
  void wfl03_aBatchIsTakenOnce() throws IOException, SQLException {
    Path file = folder.resolve("rows.csv");
    Files.writeString(file, "id,name\n1,a\n2,\"\"\n3,\n");
    for (String batch : List.of("A", "B", "A", "A")) {
      lake.done("insert", "s", "t", "--from", file.toString(), "--batch", batch);
    }
    JsonNode again =
        new ObjectMapper()
            .readTree(
                lake.done("insert", "s", "t", "--from", file.toString(), "--batch", "B", "--json"));

    assertThat(again.get("outcome").asText()).isEqualTo("already_committed");
    assertThat(lake.duckDb("SELECT id, name, count(*) FROM s.t GROUP BY ALL ORDER BY id"))
        .containsExactly(List.of("1", "a", "2"), List.of("2", "", "2"), List.of("3", "NULL", "2"));
  }

  @Test
  void aSelectBringsRows() throws SQLException {
    lake.done("insert", "s", "t", "--select", "SELECT range AS id, 'r' AS name FROM range(1000)");

    assertThat(lake.duckDb("SELECT count(*), sum(id), min(name) FROM s.t"))
        .containsExactly(List.of("1000", "499500", "r"));
  }

  @Test
  void whatDoesNotFitIsRefusedAndNothingIsWritten() throws IOException, SQLException {
    lake.refused(ExitCode.REFUSED, "score", "insert", "s", "t", "id=1", "score=many");
    lake.refused(ExitCode.REFUSED, "id", "insert", "s", "t", "id=3000000000");
    lake.refused(ExitCode.REFUSED, "id", "insert", "s", "t", "id=1.5");
    lake.refused(ExitCode.REFUSED, "id", "insert", "s", "t", "name=x");
    lake.refused(ExitCode.REFUSED, "nope", "insert", "s", "t", "id=1", "nope=1");
    lake.refused(ExitCode.REFUSED, "given twice", "insert", "s", "t", "id=1", "ID=2");
    lake.refused(ExitCode.REFUSED, "s.nope", "insert", "s", "nope", "id=1");
    lake.refused(ExitCode.USAGE, "rows come from one place", "insert", "s", "t");
    lake.refused(ExitCode.USAGE, "does not say what it is", "insert", "s", "t", "--from", "x.txt");
    lake.refused(ExitCode.USAGE, "required: delete", "delete", "s", "t");
    lake.refused(ExitCode.USAGE, "required: update", "update", "s", "t", "set", "id = 1");
    lake.refused(
        ExitCode.USAGE, "COLUMN = EXPRESSION", "update", "s", "t", "set", "id", "where", "id = 1");

    assertThat(rows()).isEmpty();
    assertThat(lake.duckDb("SELECT max(snapshot_id) FROM lake.snapshots()"))
        .containsExactly(List.of("2"));
    try (Stream<Path> left = Files.walk(folder.resolve("lake"))) {
      assertThat(left.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @Test
  @DisplayName("CLI-05: names with dots, quotes, blanks and SQL in them")
  void cli05_awkwardNames() throws SQLException {
    lake.done("create-schema", "\"my.schema\"");
    lake.done("create-table", "\"my.schema\"", "select", "\"at\":int", "\"a\"\"b\":varchar");
    String evil = "\"x\"\"; drop table y; --\"";
    lake.done("create-table", "s", evil, "where:int");

    lake.done("insert", "\"my.schema\"", "select", "at=1", "\"a\"\"b\"=one");
    lake.done("insert", "\"my.schema\"", "select", "at=2", "\"a\"\"b\"=two");
    lake.done("insert", "s", evil, "where=7");
    lake.done("delete", "\"my.schema\"", "select", "where", "\"at\" = 1");

    assertThat(lake.done("scan", "\"my.schema\"", "select", "--output", "csv")).endsWith("2,two");
    assertThat(lake.done("scan", "s", evil, "--output", "csv")).endsWith("7");
    assertThat(lake.duckDb("SELECT \"a\"\"b\" FROM \"my.schema\".\"select\""))
        .containsExactly(List.of("two"));
  }

  @Test
  void theTeachingLakesCommandsWorkAtThePrompt() throws IOException, SQLException {
    String screen =
        type(
            "create-schema shop",
            "create-table shop orders id:int name:varchar price:double",
            "insert shop orders id=1 name='two words' price=1.5",
            "insert shop orders --select 'SELECT range AS id, ''x'' AS name FROM range(2, 4)'",
            "scan shop orders",
            "delete shop orders id = 2",
            "add-column shop orders note:varchar",
            "rename-column shop orders name title",
            "drop-column shop orders price",
            "scan shop orders where title = 'two words'",
            "scan shop orders at 5",
            "snapshots",
            "nonsense",
            "exit");

    assertThat(screen)
        .contains("created table shop.orders")
        .contains("two words")
        .contains("renamed column name of shop.orders to title")
        .contains("Unmatched argument");
    assertThat(lake.duckDb("SELECT * FROM shop.orders"))
        .containsExactlyInAnyOrder(List.of("1", "two words", "NULL"), List.of("3", "x", "NULL"));
    try (Stream<Path> files = Files.walk(folder.resolve("lake"))) {
      assertThat(
              files
                  .filter(Files::isRegularFile)
                  .map(file -> folder.resolve("lake").relativize(file).toString())
                  .map(file -> file.substring(0, file.lastIndexOf('/')))
                  .distinct())
          .containsExactlyInAnyOrder("shop/orders/data", "shop/orders/deletes");
    }
  }

  private String type(String... lines) throws IOException {
    String keys = String.join("\r", lines) + "\r";
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    try (Terminal terminal =
        new ExternalTerminal(
            "test",
            "xterm",
            new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)),
            screen,
            StandardCharsets.UTF_8)) {
      terminal.setSize(new Size(200, 1000));
      new Repl(new ReplSession(List.of("--config", lake.config().toString()), null))
          .interactive(
              terminal,
              folder.resolve("history"),
              () -> {
                throw new IllegalStateException("nothing is completed here");
              });
    }
    return screen.toString(StandardCharsets.UTF_8);
  }
}
