package dev.sluice.activities.lake;

import static dev.sluice.activities.lake.WriteLake.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A column's bounds that we do not know are no bounds at all to DuckDB, whose next insert would
 * make its own values the bounds of the whole table.
 */
class UnknownBoundsTest {

  private static final TableName T = new TableName("main", "t");

  @TempDir Path folder;

  /** DuckDB gives a long text that is not ASCII no bounds, neither in a file nor in a footer. */
  private static final String LONG_TEXT = "repeat('\u00e9', 200)";

  @Test
  void ofALongText() throws Exception {
    try (WriteLake lake = WriteLake.own(folder)) {
      lake.run("CREATE TABLE t (k INT, v VARCHAR)", "INSERT INTO t VALUES (1, 'a')");
      lake.insert(T, "SELECT 2 AS k, " + LONG_TEXT + " AS v");
      lake.run("INSERT INTO t VALUES (3, 'm')");

      assertThat(lake.rows("SELECT k FROM t WHERE v > 'x'")).containsExactly(row("2"));
      assertThat(lake.rows("SELECT k FROM t WHERE v < 'b'")).containsExactly(row("1"));
      lake.assertAgreesEverywhere();
    }
  }

  @Test
  void ofTheFirstFile() throws Exception {
    try (WriteLake lake = WriteLake.own(folder)) {
      lake.run("CREATE TABLE t (k INT, v VARCHAR)");
      lake.insert(T, "SELECT 2 AS k, " + LONG_TEXT + " AS v");
      lake.run("INSERT INTO t VALUES (3, 'm')");

      assertThat(lake.rows("SELECT k FROM t WHERE v > 'x'")).containsExactly(row("2"));
    }
  }

  @Test
  void ofAFileWithoutStatistics() throws Exception {
    try (WriteLake lake = WriteLake.own(folder)) {
      lake.run("CREATE TABLE t (k INT)", "INSERT INTO t VALUES (50)");
      lake.insert(T, "SELECT 1 AS k");
      Snapshot newest = lake.catalog.reader().latest();
      Table table = lake.catalog.reader().view(newest).table(T);
      ScanFile file = lake.catalog.reader().plan(newest, table, Predicate.all()).files().get(1);
      Path copy = folder.resolve("lake/main/t/copy.parquet");
      Files.copy(Path.of(file.path()), copy);
      lake.commit(
          new Change.AddDataFiles(
              TableRef.id(table.id()),
              List.of(
                  new NewDataFile(
                      copy.toString(),
                      1,
                      file.fileSizeBytes(),
                      file.footerSize(),
                      new FileMapping.ByFieldId(),
                      List.of(),
                      List.of()))));
      lake.run("INSERT INTO t VALUES (60)");

      assertThat(lake.rows("SELECT k FROM t WHERE k < 10")).containsExactly(row("1"), row("1"));
      assertThat(lake.rows("SELECT min(k), max(k) FROM t")).containsExactly(row("1", "60"));
    }
  }

  @Test
  void butOfNullsAloneTheyAreThoseOfTheFirstValues() throws Exception {
    try (WriteLake lake = WriteLake.own(folder)) {
      lake.run("CREATE TABLE t (k INT)");
      lake.insert(T, "SELECT NULL::INT AS k FROM range(3)");
      lake.run("INSERT INTO t VALUES (5)");
      lake.insert(T, "SELECT 7 AS k");

      assertThat(lake.rows("SELECT k FROM t WHERE k < 6")).containsExactly(row("5"));
      assertThat(lake.rows("SELECT count(*) FROM t WHERE k IS NULL")).containsExactly(row("3"));
    }
  }
}
