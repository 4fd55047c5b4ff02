package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.error.InvalidChangeException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What commits make of file statistics: the table's bounds must never be narrower than its rows.
 */
class CommitStatisticsTest {

  private static final TableName NAME = new TableName("s", "t");
  private static final TableRef TABLE = new TableRef.ByName(NAME);

  @TempDir Path folder;
  private TestLake lake;
  private int files;

  @BeforeEach
  void createLake() throws SQLException {
    lake = TestLake.create(folder);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private void tableOf(ColumnType type) {
    lake.createTable(NAME, ColumnSpec.of("k", type));
  }

  private void append(LeafStatistics... statistics) {
    lake.append(NAME, lake.invented("f" + files++, 5, statistics));
  }

  private static LeafStatistics leaf(
      @Nullable Long values,
      @Nullable Long nulls,
      @Nullable String min,
      @Nullable String max,
      @Nullable Boolean nan) {
    return new LeafStatistics(List.of("k"), 10, values, nulls, min, max, nan, null);
  }

  /** Empty where the table has none: DuckDB takes a row without bounds for one without values. */
  private String bounds() throws SQLException {
    return lake.sql(
        "SELECT min_value, max_value, contains_null, contains_nan FROM"
            + " ducklake_table_column_stats");
  }

  @Test
  @DisplayName("writer bug 3: an unknown bound makes the table's bounds unknown for good")
  void bug3UnknownPoisons() throws SQLException {
    tableOf(Scalar.INT32);
    append(leaf(5L, 0L, "1", "9", null));
    append(leaf(5L, 0L, null, null, null));
    append(leaf(5L, 0L, "2", "3", null));

    assertThat(bounds()).isEmpty();
  }

  @Test
  @DisplayName("writer bug 4: no statistics are unknown, all NULL is told by the counts")
  void bug4AbsentIsUnknownAndAllNullIsNot() throws SQLException {
    tableOf(Scalar.INT32);
    append(leaf(5L, 0L, "1", "9", null));
    append(leaf(0L, 5L, null, null, null));
    assertThat(bounds()).isEqualTo("1 9 t null");
    append();
    assertThat(bounds()).isEmpty();
  }

  @Test
  @DisplayName("writer bug 6: bounds are compared in the column's type")
  void bug6BoundsAreComparedInTheColumnsType() throws SQLException {
    tableOf(Scalar.INT32);
    append(leaf(5L, 0L, "9", "9", null));
    append(leaf(5L, 0L, "-10", "10", null));

    assertThat(bounds()).isEqualTo("-10 10 f null");
  }

  @Test
  @DisplayName("writer bug 7: a bound that is no value of the type is unknown to the table")
  void bug7UnparsableBoundsAreUnknown() throws SQLException {
    tableOf(Scalar.TIMESTAMP);
    append(leaf(5L, 0L, "2024-01-01 00:00:00", "2024-01-02 00:00:00", null));
    append(leaf(5L, 0L, "yesterday", "today", null));

    assertThat(bounds()).isEmpty();
  }

  @Test
  @DisplayName("writer bug 8: whether there is NaN is stored only where it is known")
  void bug8NanIsStoredOnlyIfKnown() throws SQLException {
    tableOf(Scalar.FLOAT64);
    append(leaf(5L, 0L, "1.0", "2.0", false));
    assertThat(bounds()).isEqualTo("1.0 2.0 f f");
    append(leaf(5L, 0L, "1.0", "3.0", true));
    assertThat(bounds()).isEqualTo("1.0 3.0 f t");
    append(leaf(5L, 0L, "0.5", "3.0", null));
    assertThat(bounds()).isEqualTo("0.5 3.0 f null");
  }

  @Test
  @DisplayName("writer bugs 10 and 11: the empty text is a bound, a zero character is not")
  void bug10And11EmptyTextsAndZeroCharacters() throws SQLException {
    tableOf(Scalar.VARCHAR);
    append(leaf(5L, 0L, "", "b", null));
    assertThat(bounds()).isEqualTo(" b f null");
    append(leaf(5L, 0L, "a", "z\0", null));
    assertThat(bounds()).isEmpty();
    assertThat(
            lake.sql(
                "SELECT coalesce(min_value, 'NULL') || '|' || coalesce(max_value, 'NULL') FROM"
                    + " ducklake_file_column_stats ORDER BY data_file_id"))
        .isEqualTo("|b\nNULL|NULL");
  }

  @Test
  void aSingleBoundIsNeverStored() throws SQLException {
    tableOf(Scalar.INT32);
    append(leaf(5L, 0L, "1", null, null));

    assertThat(bounds()).isEmpty();
    assertThat(lake.sql("SELECT min_value, max_value FROM ducklake_file_column_stats"))
        .isEqualTo("null null");
  }

  @Test
  @DisplayName("writer bug 1: an unknown footer size is NULL, not zero; unknown counts too")
  void bug1UnknownIsNull() throws SQLException {
    tableOf(Scalar.INT32);
    NewDataFile file = lake.invented("f", 5, leaf(null, null, null, null, null));
    lake.append(
        NAME,
        new NewDataFile(file.path(), 5, 1000, null, file.mapping(), List.of(), file.statistics()));

    assertThat(lake.sql("SELECT footer_size FROM ducklake_data_file")).isEqualTo("null");
    assertThat(lake.sql("SELECT value_count, null_count FROM ducklake_file_column_stats"))
        .isEqualTo("null null");
    assertThat(bounds()).isEmpty();
  }

  @Test
  @DisplayName(
      "writer bugs 2 and 20: the gross count is made, raised, and never lowered by deletes")
  void bug2And20GrossCounts() throws SQLException {
    tableOf(Scalar.INT32);
    assertThat(lake.sql("SELECT count(*) FROM ducklake_table_stats")).isEqualTo("0");
    append(leaf(5L, 0L, "1", "9", null));
    append(leaf(5L, 0L, "1", "9", null));
    long file = Long.parseLong(lake.sql("SELECT min(data_file_id) FROM ducklake_data_file"));

    lake.commit(
        new Change.AddDeleteFiles(
            TABLE, List.of(new Change.NewDeleteFile(file, folder + "/d.parquet", 4, 100, null))));

    assertThat(
            lake.sql("SELECT record_count, next_row_id, file_size_bytes FROM ducklake_table_stats"))
        .isEqualTo("10 10 2000");
  }

  @Test
  void countersOfTheSnapshotMoveWithWhatChanged() throws SQLException {
    tableOf(Scalar.INT32);
    append(leaf(5L, 0L, "1", "9", null));
    String before = counters();
    lake.commit(TestLake.publish(NAME, List.of(ColumnSpec.of("k", Scalar.INT32))));
    assertThat(before).isEqualTo("1 3 1");
    assertThat(counters()).isEqualTo("1 3 2");

    append(leaf(5L, 0L, "1", "9", null));
    assertThat(lake.sql("SELECT count(*) FROM ducklake_table_column_stats")).isEqualTo("0");
    lake.commit(new Change.RetypeColumn(TABLE, List.of("k"), Scalar.INT64));
    assertThat(counters()).isEqualTo("2 3 3");
  }

  private String counters() throws SQLException {
    return lake.sql(
        "SELECT schema_version, next_catalog_id, next_file_id FROM ducklake_snapshot ORDER BY"
            + " snapshot_id DESC LIMIT 1");
  }

  @Test
  void aRetypeForgetsTheBoundsOfItsColumnOnly() throws SQLException {
    lake.createTable(NAME, ColumnSpec.of("k", Scalar.INT32), ColumnSpec.of("j", Scalar.INT32));
    NewDataFile file =
        lake.invented(
            "two", 5, TestLake.bounds("k", 5, "1", "2"), TestLake.bounds("j", 5, "3", "4"));
    lake.append(NAME, file);

    lake.commit(new Change.RetypeColumn(TABLE, List.of("k"), Scalar.INT64));

    assertThat(lake.sql("SELECT column_id, min_value FROM ducklake_table_column_stats"))
        .isEqualTo("2 3");
    assertThat(counters()).isEqualTo("2 3 2");
  }

  @Test
  void twoStatisticsOfOneColumnAreRefused() {
    tableOf(Scalar.INT32);

    assertThatThrownBy(() -> append(leaf(5L, 0L, "1", "9", null), leaf(5L, 0L, "1", "9", null)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("has statistics of column k twice");
  }

  @Test
  void retypedColumnsAndEqualCountsAreReadRightAtEverySnapshot() throws SQLException {
    tableOf(Scalar.INT32);
    NewDataFile first = lake.file("SELECT 5::INT AS k");
    lake.append(NAME, TestLake.with(first, TestLake.bounds("k", 1, "5", "5")));
    lake.commit(new Change.RetypeColumn(TABLE, List.of("k"), Scalar.INT64));
    NewDataFile second = lake.file("SELECT 9000000000::BIGINT AS k");
    lake.commit(
        TestLake.publish(
            NAME,
            List.of(ColumnSpec.of("k", Scalar.INT64)),
            TestLake.with(second, TestLake.bounds("k", 1, "9000000000", "9000000000"))));

    assertThat(lake.ask("SELECT count(*), min(k), max(k) FROM s.t"))
        .isEqualTo("1 9000000000 9000000000");
    for (int snapshot : new int[] {2, 3}) {
      assertThat(
              lake.ask(
                  "SELECT count(*), min(k), max(k) FROM s.t AT (VERSION => %d)"
                      .formatted(snapshot)))
          .isEqualTo("1 5 5");
      assertThat(
              lake.ask(
                  "SELECT count(*) FROM s.t AT (VERSION => %d) WHERE k = 5".formatted(snapshot)))
          .isEqualTo("1");
    }
  }
}
