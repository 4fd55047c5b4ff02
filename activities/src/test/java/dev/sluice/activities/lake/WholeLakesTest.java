package dev.sluice.activities.lake;

import static dev.sluice.activities.lake.WriteLake.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.TableRef;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lakes that only one of the two has written, read by the other at every snapshot. */
class WholeLakesTest {

  @TempDir Path folder;

  /** One value of every type that DuckDB keeps; {@code range} numbers the rows. */
  private static final String EVERY_TYPE =
      """
      SELECT range::INT AS k, range % 2 = 0 AS bool, range::TINYINT AS i8, -range::SMALLINT AS i16,
        range::BIGINT << 40 AS i64, (range::HUGEINT << 20) AS i128, range::UTINYINT AS u8,
        range::USMALLINT AS u16, range::UINTEGER AS u32, range::UBIGINT << 50 AS u64,
        CASE range % 4 WHEN 0 THEN 'NaN' WHEN 1 THEN '-inf' ELSE range::VARCHAR END::FLOAT AS f32,
        CASE range % 4 WHEN 0 THEN 'inf' WHEN 1 THEN 'NaN' ELSE range::VARCHAR END::DOUBLE AS f64,
        (range / 10)::DECIMAL(4, 1) AS dec4, (range / 8)::DECIMAL(18, 3) AS dec18,
        (range / 8)::DECIMAL(38, 10) AS dec38, 'tëxt '' ' || range AS text,
        ('{"n": ' || range || '}')::JSON AS json, ('\\x0' || range % 10 || '\\xFF')::BLOB AS blob,
        ('00000000-0000-0000-0000-0000000000' || (10 + range))::UUID AS uuid,
        DATE '0044-03-15 (BC)' + range::INT AS date, TIME '23:59:00.000001' AS time,
        TIMESTAMP '1969-12-31 23:59:59.999999' + INTERVAL 1 DAY * range AS ts,
        TIMESTAMP_S '2024-02-29 01:02:03' AS ts_s, TIMESTAMP_MS '2024-02-29 01:02:03.004' AS ts_ms,
        TIMESTAMP_NS '2024-02-29 01:02:03.000000005' AS ts_ns,
        TIMESTAMPTZ '2024-02-29 01:02:03+02' + INTERVAL 1 HOUR * range AS tstz,
        INTERVAL 3 DAY AS span, [range::INT, NULL] AS list, [[], [range::VARCHAR]] AS lists,
        {'a': range::INT, 'b': 'b' || range} AS struct, MAP {'key': range::INT} AS map
      """;

  @Test
  @DisplayName(
      "issue 6: a lake of stock DuckDB reads back the same through Sluice at every snapshot")
  void aLakeOfStockDuckDb() throws Exception {
    try (WriteLake lake = WriteLake.ofDuckDb(folder)) {
      lake.run(
          "CREATE SCHEMA s",
          "CREATE TABLE s.every AS " + EVERY_TYPE + " FROM range(0)",
          "INSERT INTO s.every " + EVERY_TYPE + " FROM range(4)",
          "INSERT INTO s.every " + EVERY_TYPE + " FROM range(10, 40)",
          "INSERT INTO s.every (k) VALUES (100), (NULL)",
          "DELETE FROM s.every WHERE k IN (1, 12)",
          "UPDATE s.every SET text = 'changed', list = [] WHERE k BETWEEN 2 AND 14",
          "ALTER TABLE s.every ADD COLUMN extra VARCHAR DEFAULT 'later'",
          "INSERT INTO s.every (k, extra) VALUES (101, 'now')",
          "ALTER TABLE s.every ALTER i8 SET TYPE INTEGER",
          "ALTER TABLE s.every RENAME text TO words",
          "ALTER TABLE s.every DROP COLUMN json",
          "ALTER TABLE s.every ADD COLUMN json INTEGER",
          "ALTER TABLE s.every ADD COLUMN struct.c INTEGER",
          "ALTER TABLE s.every RENAME struct.a TO first",
          "ALTER TABLE s.every DROP COLUMN struct.b",
          "INSERT INTO s.every (k, i8, words, json, struct) VALUES (102, 70000, 'w', 5, {'first':"
              + " 1, 'c': 2})",
          "CALL ducklake_flush_inlined_data('lake')",
          "DELETE FROM s.every WHERE k BETWEEN 15 AND 35",
          "CREATE TABLE parts (k INT NOT NULL, d DATE NOT NULL, v VARCHAR)",
          "ALTER TABLE parts SET PARTITIONED BY (year(d), bucket(2, k))",
          "ALTER TABLE parts SET SORTED BY (v DESC)",
          "INSERT INTO parts SELECT range, DATE '2023-06-01' + (range * 20)::INT, 'v' || range FROM"
              + " range(40)",
          "INSERT INTO parts SELECT range, DATE '2023-06-01' + (range * 20)::INT, 'w' || range FROM"
              + " range(3)",
          "DELETE FROM parts WHERE k % 5 = 0",
          "ALTER TABLE parts RESET PARTITIONED BY",
          "INSERT INTO parts SELECT range, DATE '2025-01-01', NULL FROM range(20)",
          "CALL ducklake_flush_inlined_data('lake')",
          "CALL ducklake_merge_adjacent_files('lake')",
          "CALL ducklake_rewrite_data_files('lake', delete_threshold => 0.05)",
          "BEGIN; INSERT INTO parts VALUES (7, '2026-01-01', 'tx'); DELETE FROM parts WHERE k = 3;"
              + " UPDATE parts SET v = 'up' WHERE k < 5; COMMIT",
          "ALTER TABLE parts RENAME TO pieces",
          "CREATE TABLE gone AS SELECT 1 AS x",
          "DROP TABLE gone",
          "CALL ducklake_flush_inlined_data('lake')",
          "DELETE FROM pieces");

      assertThat(lake.newest()).isGreaterThanOrEqualTo(35);
      lake.assertAgreesEverywhere();
    }
  }

  @Test
  @DisplayName("issue 6: a lake of Sluice alone reads back the same in DuckDB at every snapshot")
  void aLakeOfSluice() throws Exception {
    TableName every = new TableName("s", "every");
    TableName parts = new TableName("s", "parts");
    TableRef table = TableRef.name("s", "every");
    TableRef partsTable = TableRef.name("s", "parts");
    try (WriteLake lake = WriteLake.own(folder)) {
      lake.create(
          every,
          ColumnSpec.of("k", Scalar.INT32),
          ColumnSpec.of("bool", Scalar.BOOLEAN),
          ColumnSpec.of("i8", Scalar.INT8),
          ColumnSpec.of("i16", Scalar.INT16),
          ColumnSpec.of("i64", Scalar.INT64),
          ColumnSpec.of("u8", Scalar.UINT8),
          ColumnSpec.of("u16", Scalar.UINT16),
          ColumnSpec.of("u32", Scalar.UINT32),
          ColumnSpec.of("f32", Scalar.FLOAT32),
          ColumnSpec.of("f64", Scalar.FLOAT64),
          ColumnSpec.of("dec4", new Decimal(4, 1)),
          ColumnSpec.of("dec18", new Decimal(18, 3)),
          ColumnSpec.of("dec38", new Decimal(38, 10)),
          ColumnSpec.of("text", Scalar.VARCHAR),
          ColumnSpec.of("json", Scalar.JSON),
          ColumnSpec.of("blob", Scalar.BLOB),
          ColumnSpec.of("uuid", Scalar.UUID),
          ColumnSpec.of("date", Scalar.DATE),
          ColumnSpec.of("time", Scalar.TIME),
          ColumnSpec.of("ts", Scalar.TIMESTAMP),
          ColumnSpec.of("ts_s", Scalar.TIMESTAMP_S),
          ColumnSpec.of("ts_ms", Scalar.TIMESTAMP_MS),
          ColumnSpec.of("ts_ns", Scalar.TIMESTAMP_NS),
          ColumnSpec.of("tstz", Scalar.TIMESTAMPTZ),
          ColumnSpec.of("span", Scalar.INTERVAL),
          ColumnSpec.nested("list", Nested.LIST, List.of(ColumnSpec.of("element", Scalar.INT32))),
          ColumnSpec.nested(
              "struct",
              Nested.STRUCT,
              List.of(ColumnSpec.of("a", Scalar.INT32), ColumnSpec.of("b", Scalar.VARCHAR))),
          ColumnSpec.nested(
              "map",
              Nested.MAP,
              List.of(ColumnSpec.of("key", Scalar.VARCHAR), ColumnSpec.of("value", Scalar.INT32))));
      String rows = "SELECT * EXCLUDE (i128, u64, lists) FROM (" + EVERY_TYPE + " FROM ";
      lake.insert(every, rows + "range(4))");
      lake.insert(every, rows + "range(10, 40))");
      lake.insert(every, "SELECT unnest([100, NULL])::INT AS k");
      lake.tables.delete(every, RowCondition.sql("k IN (1, 12)"), CommitNote.NONE);
      lake.tables.update(
          UpdateRequest.of(
              every,
              Map.of("text", "'changed'", "list", "[]"),
              RowCondition.sql("k BETWEEN 2 AND 14")));
      lake.commit(
          new Change.AddColumn(
              table,
              List.of(),
              new ColumnSpec("extra", Scalar.VARCHAR, Nulls.ALLOWED, "later", List.of())));
      lake.insert(every, "SELECT 101 AS k, 'now' AS extra");
      lake.commit(new Change.RetypeColumn(table, List.of("i8"), Scalar.INT32));
      lake.commit(new Change.RenameColumn(table, List.of("text"), "words"));
      lake.commit(
          new Change.DropColumn(table, List.of("json")),
          new Change.AddColumn(table, List.of(), ColumnSpec.of("number", Scalar.INT32)));
      lake.commit(
          new Change.AddColumn(table, List.of("struct"), ColumnSpec.of("c", Scalar.INT32)),
          new Change.RenameColumn(table, List.of("struct", "a"), "first"),
          new Change.DropColumn(table, List.of("struct", "b")));
      lake.tables.upsert(
          UpsertRequest.of(
              every,
              new RowSource.Select(
                  "SELECT 98 + range::INT AS k, 70000 AS i8, {'first': 1, 'c': 2} AS struct FROM"
                      + " range(6)"),
              List.of("k")));
      lake.tables.delete(every, RowCondition.sql("k BETWEEN 15 AND 35"), CommitNote.NONE);

      lake.create(
          parts,
          ColumnSpec.of("k", Scalar.INT32),
          ColumnSpec.of("d", Scalar.DATE),
          ColumnSpec.of("v", Scalar.VARCHAR));
      lake.commit(
          new Change.SetPartitioning(
              partsTable,
              List.of(
                  new PartitionKey("d", PartitionTransform.Simple.YEAR),
                  new PartitionKey("k", new PartitionTransform.Bucket(2)))),
          new Change.SetSortOrder(partsTable, List.of(SortKey.descending("v"))));
      lake.insert(
          parts,
          "SELECT NULLIF(range, 8)::INT AS k, DATE '2023-06-01' + (range * 20)::INT AS d, 'v' ||"
              + " range AS v FROM range(40)");
      lake.tables.update(
          UpdateRequest.of(parts, Map.of("d", "DATE '2030-01-01'"), RowCondition.sql("k < 5")));
      lake.commit(new Change.SetPartitioning(partsTable, List.of()));
      lake.insert(parts, "SELECT range::INT AS k, NULL::DATE AS d FROM range(20)");
      lake.commit(new Change.RenameTable(partsTable, "pieces"));
      lake.commit(new Change.CreateSchema("t", IfExists.REFUSE));
      lake.create(new TableName("t", "gone"), ColumnSpec.of("x", Scalar.INT32));
      lake.commit(new Change.DropTable(TableRef.name("t", "gone")), new Change.DropSchema("t"));
      lake.tables.truncate(new TableName("s", "pieces"), CommitNote.NONE);

      assertThat(lake.newest()).isGreaterThanOrEqualTo(20);
      assertThat(lake.rows("SELECT count(*), count(extra), max(i8) FROM s.every"))
          .containsExactly(row("18", "18", "70000"));
      lake.assertAgreesEverywhere();
    }
  }
}
