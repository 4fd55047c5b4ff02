package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that were registered in place: found by name, with values in their paths. */
class RegisteredFilesScanTest {

  @TempDir private Path folder;
  private RefereeLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = RefereeLake.create(folder);
    lake.stopInlining();
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  @Test
  @DisplayName("REG-07: NULL, null and empty values in paths read as in DuckDB")
  void reg07_nullsInPathsReadAsInDuckDb() throws Exception {
    lake.run("CREATE TABLE v(id INT, p VARCHAR)", "CREATE TABLE n(id INT, p INT)");
    int id = 0;
    for (String segment :
        List.of("p=NULL", "p=null", "p=", "p=__HIVE_DEFAULT_PARTITION__", "p=0x10", "p=007")) {
      id++;
      register("v", write(segment, "SELECT %d AS id".formatted(id)));
      register("n", write("n/" + segment, "SELECT %d AS id".formatted(id)));
    }
    register("v", write("p=a%2Fb%20c%3Dd", "SELECT 7 AS id"));
    register("v", write("p=%4EULL", "SELECT 9 AS id"));
    register("v", write("p=a+b 'c' [x]*y", "SELECT 8 AS id"));
    lake.assertAgreesEverywhere();
    assertThat(lake.scan("v"))
        .contains(
            Arrays.asList("1", null),
            Arrays.asList("2", null),
            List.of("3", ""),
            List.of("7", "a/b c=d"),
            List.of("9", "NULL"));
  }

  @Test
  @DisplayName("REG-08: path values are cast as DuckDB casts them")
  void reg08_pathValuesAreCastAsInDuckDb() throws Exception {
    lake.run("CREATE TABLE t(id INT, p INT, d DATE)");
    register("t", write("p=0x10/d=2024-01-02", "SELECT 1 AS id"));
    register("t", write("p=007/d=2024-01-03", "SELECT 2 AS id"));
    assertThat(lake.scan("t"))
        .containsExactlyInAnyOrder(
            List.of("1", "16", "2024-01-02"), List.of("2", "7", "2024-01-03"));
    lake.assertAgreesEverywhere();
  }

  @Test
  @DisplayName("SCN-07: path values survive rename, widening, rewriting and merging")
  void scn07_pathValuesSurviveChanges() throws Exception {
    lake.run("CREATE TABLE t(id INT, part_key INT)");
    register("t", write("part_key=1", "SELECT 1 AS id"));
    register("t", write("part_key=2", "SELECT 2 AS id"));
    register("t", write("x/part_key=2", "SELECT 3 AS id UNION ALL SELECT 4"));
    lake.run(
        "ALTER TABLE t RENAME COLUMN part_key TO k",
        "ALTER TABLE t ALTER k TYPE BIGINT",
        "DELETE FROM t WHERE id = 4",
        "CALL ducklake_rewrite_data_files('lake', 't', delete_threshold => 0.0)",
        "CALL ducklake_merge_adjacent_files('lake')");
    assertThat(lake.scan("t"))
        .containsExactlyInAnyOrder(List.of("1", "1"), List.of("2", "2"), List.of("3", "2"));
    lake.assertAgreesEverywhere();
  }

  @Test
  @DisplayName("SCN-02: registered files without ids keep their columns through renames")
  void scn02_registeredFilesKeepTheirColumns() throws Exception {
    lake.run(
        "CREATE TABLE t(id INT, tag VARCHAR, s STRUCT(a INT, b VARCHAR), l STRUCT(x INT)[], m"
            + " MAP(VARCHAR, INT[]))");
    register(
        "t",
        write(
            "plain",
            "SELECT MAP{'k': [1,2]} AS m, 'x' AS tag, 1 AS id, {'b': 'bb', 'a': 5} AS s, [{'x': 9}] AS"
                + " l"));
    lake.run(
        "ALTER TABLE t DROP COLUMN tag",
        "ALTER TABLE t ADD COLUMN tag VARCHAR DEFAULT 'new'",
        "ALTER TABLE t RENAME COLUMN s.a TO aa",
        "ALTER TABLE t ADD COLUMN l.element.y INT",
        "ALTER TABLE t RENAME COLUMN id TO nid",
        "INSERT INTO t VALUES (2, {'aa': 6, 'b': 'c'}, [{'x': 1, 'y': 2}], MAP{'q': [3]}, 'z')");
    lake.assertAgreesEverywhere();
  }

  private Path write(String relativeFolder, String query) throws IOException, SQLException {
    Path directory = Files.createDirectories(folder.resolve("source").resolve(relativeFolder));
    Path file = directory.resolve("f.parquet");
    lake.run("COPY (%s) TO %s (FORMAT parquet)".formatted(query, Sql.literal(file.toString())));
    return file;
  }

  private void register(String table, Path file) throws SQLException {
    String listed = file.toString().replace("[", "[[]").replace("*", "[*]");
    lake.run(
        "CALL ducklake_add_data_files('lake', '%s', %s)".formatted(table, Sql.literal(listed)));
  }
}
