package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.query.LakeScanner;
import dev.sluice.activities.query.LocalDataFiles;
import dev.sluice.activities.query.ScanRequest;
import dev.sluice.activities.query.ScanRows;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.TableName;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.PyArrow;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After each write of the command line three neighbours see the same rows: a DuckDB and a second
 * Sluice that were there all along, and pyarrow, which gets nothing but the list of files.
 */
class NeighboursTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TABLE = "s.t";

  @TempDir private Path folder;
  private CommandLake lake;
  private PyArrow pyArrow;
  private DuckLakeSession duckDb;
  private Catalog second;
  private LakeScanner scanner;
  private int looks;

  @BeforeEach
  void meetTheNeighbours() throws IOException, SQLException {
    DuckDbReferee.assumeAvailable();
    pyArrow = PyArrow.assumeAvailable();
    lake = CommandLake.in(folder);
    lake.done("create-schema", "s");
    lake.done(
        "create-table",
        "s",
        "t",
        "id:int!",
        "name:varchar=nobody",
        "score:double",
        "day:date",
        "price:decimal(10,2)",
        "tags:varchar[]");
    duckDb = DuckLakeSession.open().attach(DuckLakeAttachment.existing(lake.database()));
    second = Catalog.open(lake.database().dataSource(), "public");
    scanner = new LakeScanner(second.reader(), new LocalDataFiles(folder.resolve("links")));
  }

  @AfterEach
  void leaveThem() throws SQLException {
    if (duckDb != null) {
      duckDb.close();
    }
  }

  private void write(String... arguments) throws IOException, SQLException {
    lake.done(arguments);
    List<List<@Nullable String>> rows = duckDb.queryText("FROM lake." + TABLE);
    assertThat(scanned()).containsExactlyInAnyOrderElementsOf(rows);
    Path seen = readByPyArrow(rows.size());
    // DuckDB compares, so that nobody's way to print a value matters
    duckDb.execute("CREATE OR REPLACE TEMP TABLE seen AS FROM lake." + TABLE + " LIMIT 0");
    duckDb.execute("INSERT INTO seen BY NAME FROM '" + seen + "'");
    String context = String.join(" ", arguments);
    assertThat(duckDb.queryText("FROM seen EXCEPT ALL FROM lake." + TABLE)).as(context).isEmpty();
    assertThat(duckDb.queryText("FROM lake." + TABLE + " EXCEPT ALL FROM seen"))
        .as(context)
        .isEmpty();
  }

  private List<List<@Nullable String>> scanned() {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (ScanRows scan =
        scanner.scan(ScanRequest.all(new TableName("s", "t"), second.reader().latest()))) {
      while (scan.next()) {
        rows.add(scan.row());
      }
    }
    return rows;
  }

  private Path readByPyArrow(int rows) throws IOException {
    ObjectNode table = JSON.createObjectNode();
    for (String command : List.of("describe", "files")) {
      table.set(command, JSON.readTree(lake.done(command, TABLE, "--json")));
    }
    Path input = folder.resolve("table-" + ++looks + ".json");
    Path seen = folder.resolve("seen-" + looks + ".parquet");
    Files.writeString(input, table.toString());
    assertThat(pyArrow.run(folder, script(), List.of(input.toString(), seen.toString())))
        .isEqualTo(Integer.toString(rows));
    return seen;
  }

  private static Path script() {
    try {
      return Path.of(
          Objects.requireNonNull(NeighboursTest.class.getResource("/neighbours/rows_of_files.py"))
              .toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private void insertMany(int from, int to) throws IOException, SQLException {
    write(
        "insert",
        "s",
        "t",
        "--select",
        """
        SELECT range AS id, CASE WHEN range % 7 <> 0 THEN 'n' || range % 5 END AS name,
          range / 4 AS score, DATE '2024-12-01' + (range % 60)::INT AS day,
          (range % 900)::DECIMAL(10, 2) / 4 AS price,
          CASE WHEN range % 3 = 0 THEN ['a', NULL, 't' || range] END AS tags
        FROM range(%d, %d)"""
            .replace("(%d, %d)", "(" + from + ", " + to + ")"));
  }

  @Test
  void everyKindOfWriteIsSeenByAll() throws Exception {
    write("insert", "s", "t", "id=1", "name=ä ö 'ü'", "score=inf", "tags=[]");
    insertMany(2, 1000);
    write("delete", "s", "t", "where", "name = 'n3' and id between 3 and 700");
    write("update", "s", "t", "set", "score = -id, name = NULL", "where", "id between 100 and 300");
    // the delete files above are replaced by others that hold the old positions too
    write("delete", "s", "t", "where", "id > 900 or name is null");
    write("upsert", "s", "t", "--key", "id", "id=5", "name=five", "score=0");
    write("truncate", "s", "t");
    insertMany(1, 10);
  }

  @Test
  void alteredColumnsAreFoundByTheirIds() throws Exception {
    insertMany(1, 100);
    write("rename-column", "s", "t", "name", "label");
    write("drop-column", "s", "t", "score");
    write("add-column", "s", "t", "rank:int=7");
    write("insert", "s", "t", "id=100", "label=new", "rank=8");
    write("update", "s", "t", "set", "rank = id", "where", "id < 10");
  }

  @Test
  void partitionsLoseNoColumn() throws Exception {
    write("partition-table", "s", "t", "name", "year(day)", "bucket(3,id)");
    insertMany(1, 300);
    write("delete", "s", "t", "where", "name = 'n1' or id < 20");
    write("update", "s", "t", "set", "name = 'a/b=c'", "where", "id >= 280");
    write("upsert", "s", "t", "--key", "id", "id=150", "day=2023-01-01");
  }
}
