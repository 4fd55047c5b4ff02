package dev.sluice.activities.lake;

import static dev.sluice.activities.lake.WriteLake.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.TableName;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of an insert are those that DuckDB's insert of the same rows writes. */
class WrittenFilesTest {

  private static final String ALL_TYPES =
      """
      SELECT i::INT AS id, (i % 2 = 0) AS b, i::TINYINT AS i8, i::SMALLINT AS i16, (i * 1000000007)::BIGINT AS i64,
        i::UTINYINT AS u8, i::USMALLINT AS u16, i::UINTEGER AS u32, (i + 9223372036854775807::UBIGINT)::UBIGINT AS u64,
        i::HUGEINT AS i128, (i / 7)::FLOAT AS f32, CASE WHEN i = 3 THEN 'NaN'::DOUBLE ELSE i END AS f64,
        i::DECIMAL(4, 2) AS d4, i::DECIMAL(18, 3) AS d18, i::DECIMAL(38, 5) AS d38,
        DATE '2024-01-31' + i::INT AS da, TIME '10:00:00' + INTERVAL (i) MINUTE AS ti,
        TIMESTAMP '2024-01-31 23:00:00' + INTERVAL (i) HOUR AS ts,
        (TIMESTAMP '2024-01-31 23:00:00' + INTERVAL (i) HOUR)::TIMESTAMP_S AS ts_s,
        (TIMESTAMP '2024-01-31 23:00:00' + INTERVAL (i) HOUR)::TIMESTAMP_MS AS ts_ms,
        (TIMESTAMP '2024-01-31 23:00:00' + INTERVAL (i) HOUR)::TIMESTAMP_NS AS ts_ns,
        TIMESTAMPTZ '2024-01-31 23:00:00+00' + INTERVAL (i) HOUR AS tz, INTERVAL (i) DAY AS iv,
        CASE WHEN i % 5 <> 0 THEN repeat('é', i::INT) END AS v, encode('b' || i) AS bl,
        ('00000000-0000-0000-0000-0000000000' || lpad(i::VARCHAR, 2, '0'))::UUID AS u, to_json({'k': i}) AS j,
        {'x': i::INT, 'y': [i::VARCHAR, NULL]} AS st, MAP {i::INT: {'z': i::DOUBLE}} AS m
      FROM range(20) r(i)\
      """;

  @TempDir Path folder;
  private WriteLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = WriteLake.own(folder);
    lake.run("CREATE SCHEMA s");
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  /** Rows of the catalog of two tables side by side, without what any two files differ in. */
  private void assertSameStatistics(String ours, String theirs) throws SQLException {
    String columns =
        "SELECT c.column_name, f.value_count, f.null_count, f.min_value, f.max_value,"
            + " f.contains_nan, d.record_count"
            + " FROM ducklake_file_column_stats f JOIN ducklake_table t USING (table_id)"
            + " JOIN ducklake_column c ON c.table_id = t.table_id AND c.column_id = f.column_id"
            + " JOIN ducklake_data_file d ON d.data_file_id = f.data_file_id"
            + " WHERE t.table_name = '%s' AND c.column_type NOT IN ('interval', 'timetz')"
            + " ORDER BY d.record_count, f.min_value, f.column_id, f.max_value";
    assertThat(catalog(columns.formatted(ours)))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(catalog(columns.formatted(theirs)));
    String table =
        "SELECT c.column_id, c.contains_null, c.contains_nan, c.min_value, c.max_value"
            + " FROM ducklake_table_column_stats c JOIN ducklake_table t USING (table_id)"
            + " JOIN ducklake_column k ON k.table_id = t.table_id AND k.column_id = c.column_id"
            + " WHERE t.table_name = '%s' AND k.column_type NOT IN ('interval', 'timetz', 'blob')";
    assertThat(catalog(table.formatted(ours)))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(catalog(table.formatted(theirs)));
  }

  private List<List<@Nullable String>> catalog(String sql) throws SQLException {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (Connection connection = lake.database.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        List<@Nullable String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private void bothInsert(String select) throws SQLException {
    lake.run("INSERT INTO s.theirs " + select);
    lake.insert(new TableName("s", "ours"), select);
    assertThat(lake.rows("FROM s.ours EXCEPT ALL FROM s.theirs")).isEmpty();
    assertThat(lake.rows("FROM s.theirs EXCEPT ALL FROM s.ours")).isEmpty();
  }

  private void createBoth(String like, String... alters) throws SQLException {
    for (String name : List.of("ours", "theirs")) {
      lake.run("CREATE TABLE s." + name + " AS " + like + " LIMIT 0");
      for (String alter : alters) {
        lake.run(alter.formatted("s." + name));
      }
    }
  }

  @Test
  void everyTypeIsWrittenWithDuckDbsStatistics() throws Exception {
    createBoth(ALL_TYPES);

    bothInsert(ALL_TYPES);
    bothInsert(ALL_TYPES + " WHERE i < 0 OR i > 17");

    assertSameStatistics("ours", "theirs");
    assertThat(lake.rows("SELECT count(*), min(ts), max(f64), min(v) FROM s.ours"))
        .isEqualTo(lake.rows("SELECT count(*), min(ts), max(f64), min(v) FROM s.theirs"));
    lake.assertAgreesEverywhere();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v",
        "year(ts), month(tz)",
        "day(da), hour(ts), b",
        "bucket(4, id)",
        "bucket(3, v), bucket(5, u)",
        "bucket(7, bl), bucket(2, d38)",
        "da, d4",
        "f64",
        "bucket(4, ts_ms), bucket(4, ts_s)",
        "bucket(4, f32), bucket(4, b)"
      })
  void filesOfPartitionedTablesCarryDuckDbsValues(String keys) throws Exception {
    createBoth(ALL_TYPES, "ALTER TABLE %s SET PARTITIONED BY (" + keys + ")");

    bothInsert(ALL_TYPES);

    String values =
        "SELECT d.record_count, string_agg(p.partition_key_index || '=' || coalesce(p.partition_value, '<null>'), ',' ORDER BY p.partition_key_index),"
            + " regexp_replace(regexp_replace(d.path, '[^/]*$', ''), '^data/', '')"
            + " FROM ducklake_data_file d JOIN ducklake_file_partition_value p USING (data_file_id)"
            + " JOIN ducklake_table t ON t.table_id = d.table_id WHERE t.table_name = '%s'"
            + " GROUP BY d.data_file_id, d.record_count, d.path";
    assertThat(catalog(values.formatted("ours")))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(catalog(values.formatted("theirs")));
    lake.assertAgreesEverywhere();
    for (int id = 0; id < 20; id += 7) {
      assertThat(lake.value("SELECT count(*) FROM s.ours WHERE id = " + id)).isEqualTo("1");
    }
  }

  @Test
  void rowsAreSortedByTheTablesOrder() throws Exception {
    createBoth(ALL_TYPES, "ALTER TABLE %s SET SORTED BY (v DESC NULLS FIRST, id)");

    bothInsert(ALL_TYPES);

    assertThat(lake.rows("SELECT id FROM s.ours ORDER BY file_row_number"))
        .isEqualTo(lake.rows("SELECT id FROM s.ours ORDER BY v DESC NULLS FIRST, id"));
  }

  @Test
  void filesAreCutAtTheTargetSize() throws Exception {
    createBoth("SELECT 1::BIGINT AS a, 'x' AS b");
    lake.run("CALL lake.set_option('target_file_size', '200KB')");
    lake.run("CALL lake.set_option('parquet_row_group_size', 10000)");
    lake.run("CALL lake.set_option('parquet_compression', 'zstd')");

    WriteResult result =
        lake.insert(
            new TableName("s", "ours"),
            "SELECT (hash(range) % 1000000007)::BIGINT AS a, md5(range::VARCHAR) AS b FROM range(100000)");

    assertThat(result.files()).isGreaterThan(3);
    assertThat(result.bytes()).isGreaterThan(1_000_000);
    assertThat(lake.value("SELECT count(*) FROM s.ours")).isEqualTo("100000");
    assertThat(
            lake.rows(
                "SELECT DISTINCT compression FROM parquet_metadata('%s/lake/s/ours/data/*.parquet')"
                    .formatted(folder)))
        .containsExactly(row("ZSTD"));
    lake.assertAgreesEverywhere();
  }

  @Test
  void dictionariesAreForRepeatedValues() throws Exception {
    String some = "SELECT range % 16000 AS repeated, range % 17000 AS often_new FROM range(122880)";
    createBoth(some);

    lake.insert(new TableName("s", "ours"), some);

    assertThat(encodings())
        .containsExactly(row("often_new", "PLAIN"), row("repeated", "PLAIN_DICTIONARY"));
  }

  @Test
  void rowGroupsOfAnotherSizeHaveDictionariesAsDuckDbMakesThem() throws Exception {
    String some = "SELECT range % 40000 AS repeated FROM range(250000)";
    createBoth(some);
    lake.run("CALL lake.set_option('parquet_row_group_size', 250000)");

    lake.insert(new TableName("s", "ours"), some);

    assertThat(encodings()).containsExactly(row("repeated", "PLAIN_DICTIONARY"));
  }

  private List<List<@Nullable String>> encodings() throws SQLException {
    return lake.rows(
        "SELECT DISTINCT path_in_schema, encodings FROM parquet_metadata('%s/lake/s/ours/data/*.parquet') ORDER BY ALL"
            .formatted(folder));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 170141183460469231731687303715884105727::HUGEINT AS x",
        "SELECT INTERVAL '1 microsecond' AS x",
        "SELECT TIMETZ '12:00:00+02' AS x"
      })
  void whatAFileWouldNotGiveBackIsRefused(String select) throws Exception {
    createBoth(select);

    assertThatThrownBy(() -> lake.insert(new TableName("s", "ours"), select))
        .isInstanceOf(WriteException.class)
        .hasMessageContaining("is kept in files with fewer digits, and they would lose");
    assertThat(lake.objects()).isEmpty();
  }

  @Test
  void aTypeThatCannotBeKeptIsNamed() throws Exception {
    lake.run("CREATE TABLE s.ours (a INT, g STRUCT(h HUGEINT))");

    assertThatThrownBy(() -> lake.insert(new TableName("s", "ours"), "SELECT 1 AS a"))
        .isInstanceOf(WriteException.class)
        .hasMessageContaining("column h of type int128 cannot be written");
  }
}
