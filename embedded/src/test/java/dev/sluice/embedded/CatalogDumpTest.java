package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogDumpTest {

  @TempDir Path files;

  @BeforeAll
  static void needsTheReferee() {
    DuckDbReferee.assumeAvailable();
  }

  @Test
  void theSameOperationsByTheSameWriterAreEqualOnceComparable() throws SQLException {
    CatalogDump first = CatalogDump.of(lakeWithOneTable("first", "a"));
    CatalogDump second = CatalogDump.of(lakeWithOneTable("second", "a"));

    assertThat(first.comparable()).isEqualTo(second.comparable());
    assertThat(first.comparable().differences(second.comparable())).isEmpty();
    assertThat(first).isNotEqualTo(second);
    assertThat(first.tableNames()).contains("ducklake_snapshot", "ducklake_file_column_stats");
  }

  @Test
  void aDifferenceIsNamedWithTableAndRow() throws SQLException {
    CatalogDump first = CatalogDump.of(lakeWithOneTable("first", "a")).comparable();
    CatalogDump other = CatalogDump.of(lakeWithOneTable("other", "b")).comparable();

    assertThat(first.differences(other))
        .anySatisfy(
            line -> assertThat(line).startsWith("- ducklake_table: ").contains("table_name=a"))
        .anySatisfy(
            line -> assertThat(line).startsWith("+ ducklake_table: ").contains("table_name=b"));
    assertThat(first.rewriting(value -> value.equals("a") ? "b" : value).rows("ducklake_table"))
        .allSatisfy(row -> assertThat(row).contains("table_name=b"));
  }

  @Test
  void maskingLeavesNullsAlone() throws SQLException {
    CatalogDump dump =
        CatalogDump.of(lakeWithOneTable("masked", "a"))
            .masking(Set.of("*.end_snapshot", "ducklake_table.table_name"));

    assertThat(dump.rows("ducklake_table"))
        .singleElement()
        .satisfies(row -> assertThat(row).contains("end_snapshot=NULL").contains("table_name=*"));
    assertThat(dump.without(Set.of("ducklake_table")).rows("ducklake_table")).isEmpty();
  }

  private PostgresDatabase lakeWithOneTable(String folder, String table) throws SQLException {
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();
    DuckLakeAttachment lake = DuckLakeAttachment.of(database, files.resolve(folder) + "/");
    try (DuckLakeSession session = DuckLakeSession.open().attach(lake)) {
      session.execute("CREATE TABLE " + table + " (id BIGINT, name VARCHAR)");
      session.execute("INSERT INTO " + table + " VALUES (1, 'x'), (2, NULL)");
    }
    return database;
  }
}
