package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Done when 5: what DuckDB answers about a table that is overwritten beside it, after every
 * overwrite and at every older snapshot. One session stays attached throughout and keeps what it
 * has cached, and a fresh one is asked as well. Files carry bounds, so that DuckDB prunes by them.
 */
class OverwriteReadingTest {

  private static final TableName NAME = new TableName("s", "t");
  private static final List<ColumnSpec> NARROW = List.of(ColumnSpec.of("k", Scalar.INT32));
  private static final List<ColumnSpec> WIDE = List.of(ColumnSpec.of("k", Scalar.INT64));

  /** What each kept snapshot holds: the values of k from {@code first} to {@code last}. */
  private record Content(long first, long last) {

    long rows() {
      return last - first + 1;
    }
  }

  private final TreeMap<Long, Content> contents = new TreeMap<>();
  @TempDir Path folder;
  private TestLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = TestLake.create(folder);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private NewDataFile file(Content content, String type) throws SQLException {
    NewDataFile file =
        lake.file(
            "SELECT i::%s AS k FROM range(%d, %d) r(i)"
                .formatted(type, content.first(), content.last() + 1));
    return TestLake.with(
        file,
        TestLake.bounds(
            "k", content.rows(), Long.toString(content.first()), Long.toString(content.last())));
  }

  private void overwrite(List<ColumnSpec> columns, long first, long last) throws SQLException {
    Content content = new Content(first, last);
    String type = columns.equals(NARROW) ? "INT" : "BIGINT";
    CommitResult result =
        lake.commit(
            new Change.ReplaceContent(
                NAME,
                columns,
                List.of(),
                List.of(file(content, type)),
                SchemaPolicy.SYNC,
                ForeignContent.REPLACE,
                null));
    contents.put(result.snapshotId(), content);
    assertEverySnapshot();
  }

  private void assertEverySnapshot() throws SQLException {
    try (DuckLakeSession fresh = lake.attach()) {
      for (DuckLakeSession session : List.of(lake.duck, fresh)) {
        assertAnswers(session, "s.t", contents.lastEntry().getValue());
        for (var kept : contents.entrySet()) {
          assertAnswers(session, "s.t AT (VERSION => " + kept.getKey() + ")", kept.getValue());
        }
      }
    }
  }

  private static void assertAnswers(DuckLakeSession session, String table, Content content)
      throws SQLException {
    long first = content.first();
    long last = content.last();
    assertThat(session.queryText("SELECT count(*), min(k), max(k) FROM " + table))
        .as("count, min and max of " + table)
        .containsExactly(
            List.of(Long.toString(content.rows()), Long.toString(first), Long.toString(last)));
    String rows = Long.toString(content.rows());
    assertThat(
            session.queryText(
                "SELECT "
                    + Stream.of(
                            "k = " + first,
                            "k = " + last,
                            "k < " + first,
                            "k > " + last,
                            "k >= " + first,
                            "k <= " + last)
                        .map(where -> "(SELECT count(*) FROM " + table + " WHERE " + where + ")")
                        .collect(Collectors.joining(", "))))
        .as("filters of " + table)
        .containsExactly(List.of("1", "1", "0", "0", rows, rows));
  }

  @Test
  @DisplayName("Done when 5: after overwrites with equal row counts, fewer and more rows")
  void overwritesWithEqualAndOtherCountsAreReadRight() throws SQLException {
    overwrite(NARROW, 1, 10);
    overwrite(NARROW, 1001, 1010);
    overwrite(NARROW, -9, 0);
    overwrite(NARROW, 500, 500);
    overwrite(NARROW, 1, 3000);
  }

  @Test
  @DisplayName("Done when 5: after overwrites that retype the column, equal counts included")
  void overwritesThatRetypeAreReadRight() throws SQLException {
    overwrite(NARROW, 1, 10);
    overwrite(WIDE, 3_000_000_001L, 3_000_000_010L);
    overwrite(WIDE, 5, 14);
    overwrite(NARROW, 21, 30);
  }

  @Test
  @DisplayName("Done when 5: after overwrites of rows that DuckDB had inlined or deleted")
  void overwritesOfInlinedRowsAreReadRight() throws SQLException {
    overwrite(NARROW, 1, 10);
    lake.duck.execute("CALL lake.set_option('data_inlining_row_limit', '10')");
    try (DuckLakeSession inlining = lake.attach()) {
      inlining.execute("INSERT INTO s.t VALUES (11), (12)");
      noteForeign(1, 12);
      assertThat(lake.sql("SELECT count(*) FROM ducklake_inlined_data_tables")).isNotEqualTo("0");
      overwrite(NARROW, 101, 112);
      inlining.execute("INSERT INTO s.t VALUES (113)");
      noteForeign(101, 113);
      inlining.execute("DELETE FROM s.t WHERE k = 101");
      noteForeign(102, 113);
      overwrite(WIDE, 7, 18);
      inlining.execute("INSERT INTO s.t VALUES (19)");
      noteForeign(7, 19);
      overwrite(WIDE, 7, 19);
    }
  }

  private void noteForeign(long first, long last) throws SQLException {
    contents.put(lake.catalog.reader().latest().id(), new Content(first, last));
    assertEverySnapshot();
  }

  @Test
  @DisplayName(
      "Done when 5: the attached DuckDB expires snapshots and cleans up; the live table stays")
  void expiryAndCleanUpLeaveTheLiveTableReadable() throws SQLException {
    overwrite(NARROW, 1, 10);
    overwrite(NARROW, 1001, 1010);
    overwrite(WIDE, 2001, 2010);

    lake.duck.execute("CALL ducklake_expire_snapshots('lake', older_than => now())");
    lake.duck.execute("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)");

    contents.headMap(contents.lastKey()).clear();
    assertEverySnapshot();
    overwrite(WIDE, 3001, 3010);
    lake.duck.execute("CALL ducklake_merge_adjacent_files('lake')");
    assertEverySnapshot();
  }
}
