package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of another table, and their statistics, are in nobody's way: PostgreSQL never reads all of
 * either for us. Times are the benchmark's.
 */
class ManyStatisticsTest {

  private static final String FILES = "ducklake_data_file";
  private static final String STATISTICS = "ducklake_file_column_stats";
  private static final List<String> TABLES = List.of(FILES, STATISTICS);
  private static final TableName SMALL = new TableName("main", "small");
  private static final TableName BIG = new TableName("main", "big");
  private static final List<ColumnSpec> COLUMNS = List.of(ColumnSpec.of("k", Scalar.INT64));
  private static final int BIG_FILES = 20_000;
  private static final int BIG_COLUMNS = 10;

  private TestLake lake;
  private HikariDataSource oneConnection;
  private Catalog catalog;

  @BeforeEach
  void fill(@TempDir Path folder) throws SQLException {
    lake = TestLake.create(folder);
    // whether PostgreSQL knows the table shall not hang on when its own clean-up comes by
    for (String table : TABLES) {
      lake.tamper("ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(table));
    }
    lake.createTable(SMALL, COLUMNS.get(0));
    ColumnSpec[] columns = new ColumnSpec[BIG_COLUMNS];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = ColumnSpec.of("c" + i, Scalar.INT64);
    }
    lake.createTable(BIG, columns);
    lake.append(SMALL, small("before"));
    fillBig();
    oneConnection = lake.database.dataSource(1);
    catalog = Catalog.open(oneConnection, TestLake.LAKE);
  }

  /** As a commit would leave it, for a thousandth of its time. */
  private void fillBig() throws SQLException {
    String table = lake.sql("SELECT table_id FROM ducklake_table WHERE table_name = 'big'");
    lake.tamper(
        """
        INSERT INTO ducklake_data_file (data_file_id, table_id, begin_snapshot, path, path_is_relative,
          file_format, record_count, file_size_bytes, row_id_start)
        SELECT 1000 + f, %1$s, 1, 'big-' || f, true, 'parquet', 100, 1000, f * 100
        FROM generate_series(1, %2$d) f;
        INSERT INTO ducklake_file_column_stats (data_file_id, table_id, column_id, value_count, null_count,
          min_value, max_value)
        SELECT 1000 + f, %1$s, c, 100, 0, f::text, (f + 1)::text
        FROM generate_series(1, %3$d) c, generate_series(1, %2$d) f;
        UPDATE ducklake_snapshot SET next_file_id = 100000"""
            .formatted(table, BIG_FILES, BIG_COLUMNS));
  }

  @AfterEach
  void close() throws Exception {
    oneConnection.close();
    lake.close();
  }

  private NewDataFile small(String name) {
    return lake.invented(name, 10, TestLake.bounds("k", 10, "1", "10"));
  }

  @Test
  @DisplayName("CAT-17: no statement reads all files or all statistics, analysed or not")
  void cat17_noStatementReadsAllFilesOrStatistics() throws SQLException {
    assertThat(lake.sql(ANALYZED)).as("never analysed").isEqualTo("f");
    readsAndWritesReadNoOtherFiles("unknown");

    lake.tamper("ANALYZE");

    assertThat(lake.sql(ANALYZED)).as("analysed").isEqualTo("t");
    readsAndWritesReadNoOtherFiles("known");
  }

  private static final String ANALYZED =
      "SELECT DISTINCT last_analyze IS NOT NULL FROM pg_stat_user_tables WHERE relname IN ('%s')"
          .formatted(String.join("', '", TABLES));

  private void readsAndWritesReadNoOtherFiles(String when) throws SQLException {
    CatalogReader reader = catalog.reader();
    Snapshot snapshot = reader.latest();
    // nearly all files are the big table's: to read them all is right, their statistics are not
    assertThat(scansDuring(() -> planned(reader, snapshot, BIG, "c3", 500, 2)).get(STATISTICS))
        .isEqualTo(new Scans(0, true));

    Map<String, Scans> scans =
        scansDuring(
            () -> {
              planned(reader, snapshot, SMALL, "k", 5, 1);
              planned(reader, snapshot, SMALL, "k", 50, 0);
              commit(
                  new Change.AddDataFiles(
                      new TableRef.ByName(SMALL), List.of(small("more-" + when))));
              commit(new Change.SetNulls(new TableRef.ByName(SMALL), "k", Nulls.FORBIDDEN));
              commit(new Change.SetNulls(new TableRef.ByName(SMALL), "k", Nulls.ALLOWED));
              commit(TestLake.publish(SMALL, COLUMNS, small("published-" + when)));
            });

    assertThat(scans)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(FILES, new Scans(0, true), STATISTICS, new Scans(0, true)));
  }

  private void commit(Change change) {
    catalog.commit(CommitRequest.of("test", new CommitRequest.Base.Newest(), List.of(change)));
  }

  private static void planned(
      CatalogReader reader,
      Snapshot snapshot,
      TableName table,
      String column,
      long value,
      int expectedFiles) {
    Literal literal = new Literal(Scalar.INT64, Long.toString(value));
    assertThat(
            reader
                .plan(
                    snapshot,
                    reader.view(snapshot).table(table),
                    Predicate.compare(column, Predicate.Operator.EQUAL, literal))
                .files())
        .hasSize(expectedFiles);
  }

  /** How often PostgreSQL read a table from end to end, and whether it looked into it by index. */
  private record Scans(long sequential, boolean byIndex) {}

  private Map<String, Scans> scansDuring(Runnable work) throws SQLException {
    Map<String, long[]> before = scans();
    work.run();
    Map<String, Scans> during = new HashMap<>();
    scans()
        .forEach(
            (table, after) -> {
              long[] then = Objects.requireNonNull(before.get(table));
              during.put(table, new Scans(after[0] - then[0], after[1] > then[1]));
            });
    return during;
  }

  /**
   * Scans so far, sequential ones and those by index, by table; on the only connection there is,
   * which has counted all of ours and now hands its counts in.
   */
  private Map<String, long[]> scans() throws SQLException {
    Map<String, long[]> scans = new HashMap<>();
    try (Connection connection = oneConnection.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_stat_force_next_flush()");
      try (ResultSet row =
          statement.executeQuery(
              "SELECT relname, seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname IN ('%s')"
                  .formatted(String.join("', '", TABLES)))) {
        while (row.next()) {
          scans.put(row.getString(1), new long[] {row.getLong(2), row.getLong(3)});
        }
      }
    }
    return scans;
  }
}
