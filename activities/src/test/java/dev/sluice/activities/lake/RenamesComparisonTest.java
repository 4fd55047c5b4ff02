package dev.sluice.activities.lake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.query.Sql;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.embedded.CatalogDump;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same rename by DuckDB and by us, of a table of which rows lie in the catalog and in files and
 * rows of both are deleted inside the catalog. The catalogs' rows are the same, right after it and
 * after DuckDB has written on, apart from docs/reference/catalog-differences.md, and so is what
 * both lakes show at every snapshot.
 */
class RenamesComparisonTest {

  private static final TableRef T = TableRef.name("s", "t");
  private static final Set<String> NESTED =
      Set.of("ducklake_column.nulls_allowed", "ducklake_column.default_value_type");

  @TempDir Path folder;

  /**
   * A rename.
   *
   * @param sql by DuckDB, one transaction
   * @param changes by us, one commit
   * @param table what the table is called afterwards, as SQL
   */
  record Rename(String sql, List<Change> changes, String table) {
    @Override
    public String toString() {
      return sql;
    }
  }

  private static Rename column(String sql, String newName, String... path) {
    return new Rename(
        "ALTER TABLE s.t RENAME COLUMN " + sql,
        List.of(new Change.RenameColumn(T, List.of(path), newName)),
        "s.t");
  }

  private static Rename table(String sql, String newName) {
    return new Rename(
        "ALTER TABLE s.t RENAME TO " + sql,
        List.of(new Change.RenameTable(T, newName)),
        "s." + sql);
  }

  static Stream<Rename> renames() {
    return Stream.of(
        table("T", "T"),
        table("\"u\"\"; a.b 列\"", "u\"; a.b 列"),
        column("v TO \"w\"\" '.x 列\"", "w\" '.x 列", "v"),
        column("p TO q", "q", "p"),
        column("st TO su", "su", "st"),
        column("st.a TO c", "c", "st", "a"),
        new Rename(
            "BEGIN; ALTER TABLE s.t RENAME COLUMN id TO x; ALTER TABLE s.t RENAME COLUMN n TO id;"
                + " ALTER TABLE s.t RENAME COLUMN x TO n; COMMIT",
            List.of(
                new Change.RenameColumn(T, List.of("id"), "x"),
                new Change.RenameColumn(T, List.of("n"), "id"),
                new Change.RenameColumn(T, List.of("x"), "n")),
            "s.t"));
  }

  private static void fill(WriteLake lake) throws SQLException {
    lake.run(
        "CREATE SCHEMA s",
        "CREATE TABLE s.t (id INTEGER NOT NULL, v VARCHAR DEFAULT 'd', n INTEGER, p INTEGER,"
            + " st STRUCT(a INTEGER, b INTEGER), l INTEGER[])",
        "BEGIN; COMMENT ON TABLE s.t IS 'a table'; COMMENT ON COLUMN s.t.v IS 'a column';"
            + " ALTER TABLE s.t SET PARTITIONED BY (p); COMMIT",
        "INSERT INTO s.t VALUES (1, 'a', 10, 1, {'a': 1, 'b': 2}, [1]), (2, NULL, NULL, 2, NULL, NULL),"
            + " (3, 'c', 30, NULL, {'a': NULL, 'b': 3}, [])",
        "INSERT INTO s.t SELECT 100 + range, 'f' || range, -range, range % 2, {'a': range, 'b': 0},"
            + " [range, NULL] FROM range(40)",
        "DELETE FROM s.t WHERE id IN (2, 104, 105)");
  }

  private static void goOn(WriteLake lake, String table) throws SQLException {
    lake.run(
        "INSERT INTO %s VALUES (4, 'd', 40, 1, {'a': 4, 'b': 4}, [4])".formatted(table),
        "INSERT INTO %s VALUES (5, 'e', 50, 3, NULL, NULL)".formatted(table),
        "DELETE FROM %s WHERE rowid IN (0, 20, 44)".formatted(table));
  }

  /** Our mark is the one value that DuckDB leaves NULL; nested columns as the list says. */
  private static CatalogDump dump(WriteLake lake) throws SQLException {
    return CatalogDump.of(lake.database)
        .comparable()
        .rewriting(value -> value.equals("sluice") ? "NULL" : value)
        .masking(NESTED);
  }

  private static void assertSameCatalogs(WriteLake ours, WriteLake theirs) throws SQLException {
    assertThat(dump(ours).differences(dump(theirs))).isEmpty();
  }

  /** Both DuckDBs show the same, and our scan shows what they do. */
  private static void assertSameHistory(WriteLake ours, WriteLake theirs) throws SQLException {
    assertThat(ours.newest()).isEqualTo(theirs.newest());
    for (long snapshot = 2; snapshot <= ours.newest(); snapshot++) {
      Snapshot at = ours.catalog.reader().snapshot(snapshot);
      for (Table table : ours.catalog.reader().view(at).tables()) {
        String sql =
            "SELECT * FROM %s.%s AT (VERSION => %d) ORDER BY ALL"
                .formatted(
                    Sql.identifier(table.name().schema()),
                    Sql.identifier(table.name().table()),
                    snapshot);
        assertThat(ours.rows(sql)).as(sql).isEqualTo(theirs.rows(sql));
        assertThat(ours.duckDb.columns(sql)).as(sql).isEqualTo(theirs.duckDb.columns(sql));
      }
    }
    ours.assertAgreesEverywhere();
  }

  @ParameterizedTest
  @MethodSource("renames")
  void leaveTheSameRowsAsDuckDbs(Rename rename) throws Exception {
    try (WriteLake theirs = WriteLake.ofDuckDb(folder.resolve("them"));
        WriteLake ours = WriteLake.ofDuckDb(folder.resolve("ours"))) {
      fill(theirs);
      fill(ours);
      theirs.run(rename.sql());
      ours.commit(rename.changes().toArray(new Change[0]));
      assertSameCatalogs(ours, theirs);

      goOn(theirs, rename.table());
      goOn(ours, rename.table());
      assertSameCatalogs(ours, theirs);

      // in which order a flush numbers its files is not the same twice
      theirs.run("CALL ducklake_flush_inlined_data('lake')");
      ours.run("CALL ducklake_flush_inlined_data('lake')");
      assertSameHistory(ours, theirs);
    }
  }

  @Test
  void inCaseAloneShowTheSameRowsAsDuckDbs() throws Exception {
    try (WriteLake theirs = WriteLake.ofDuckDb(folder.resolve("them"));
        WriteLake ours = WriteLake.ofDuckDb(folder.resolve("ours"))) {
      fill(theirs);
      fill(ours);
      theirs.run("ALTER TABLE s.t RENAME COLUMN v TO V");
      ours.commit(new Change.RenameColumn(T, List.of("v"), "V"));
      assertSameCatalogs(ours, theirs);

      goOn(theirs, "s.t");
      goOn(ours, "s.t");
      assertSameHistory(ours, theirs);
    }
  }
}
