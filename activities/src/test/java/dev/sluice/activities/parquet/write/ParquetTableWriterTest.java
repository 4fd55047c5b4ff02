package dev.sluice.activities.parquet.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.parquet.write.ParquetWriteOptions.Compression;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ParquetTableWriterTest {

  private static final String KEY = "t/file é=1.parquet";

  @TempDir private Path folder;
  private ObjectStores stores;
  private ObjectStore store;

  @BeforeEach
  void openStore() {
    stores = ObjectStores.localOnly();
    store = stores.open(new StorageLocation.Local(folder));
  }

  @AfterEach
  void closeStore() {
    stores.close();
  }

  @Test
  void everyScalarTypeIsReadBackExactly() throws SQLException {
    Map<ColumnType, Object> values =
        Map.ofEntries(
            Map.entry(Scalar.BOOLEAN, true),
            Map.entry(Scalar.INT8, (byte) -128),
            Map.entry(Scalar.INT16, (short) 32767),
            Map.entry(Scalar.INT32, -5),
            Map.entry(Scalar.INT64, Long.MIN_VALUE),
            Map.entry(Scalar.UINT8, 255),
            Map.entry(Scalar.UINT16, 65535),
            Map.entry(Scalar.UINT32, 4294967295L),
            Map.entry(Scalar.UINT64, new BigInteger("18446744073709551615")),
            Map.entry(Scalar.FLOAT32, 0.1f),
            Map.entry(Scalar.FLOAT64, Double.NaN),
            Map.entry(new Decimal(4, 2), new BigDecimal("-0.05")),
            Map.entry(new Decimal(18, 3), new BigDecimal("123456789012345.5")),
            Map.entry(
                new Decimal(38, 2), new BigDecimal("-123456789012345678901234567890123456.78")),
            Map.entry(Scalar.DATE, LocalDate.of(-44, 3, 15)),
            Map.entry(Scalar.TIME, LocalTime.of(23, 59, 59, 999_999_000)),
            Map.entry(Scalar.TIMESTAMP, LocalDateTime.of(1969, 12, 31, 23, 59, 59, 1_000)),
            Map.entry(Scalar.TIMESTAMP_S, LocalDateTime.of(2024, 1, 2, 3, 4, 5)),
            Map.entry(Scalar.TIMESTAMP_MS, LocalDateTime.of(2024, 1, 2, 3, 4, 5, 6_000_000)),
            Map.entry(Scalar.TIMESTAMP_NS, LocalDateTime.of(2024, 1, 2, 3, 4, 5, 123_456_789)),
            Map.entry(Scalar.TIMESTAMPTZ, Instant.parse("2024-01-02T03:04:05.000006Z")),
            Map.entry(Scalar.VARCHAR, "é\u0000'\\"),
            Map.entry(Scalar.JSON, "{\"a\": 1}"),
            Map.entry(Scalar.BLOB, new byte[] {(byte) 0xde, 0x41}),
            Map.entry(Scalar.UUID, UUID.fromString("f1111111-2222-3333-4444-555555555555")));
    Map<ColumnType, String> expected =
        Map.ofEntries(
            Map.entry(Scalar.BOOLEAN, "true"),
            Map.entry(Scalar.INT8, "-128"),
            Map.entry(Scalar.INT16, "32767"),
            Map.entry(Scalar.INT32, "-5"),
            Map.entry(Scalar.INT64, "-9223372036854775808"),
            Map.entry(Scalar.UINT8, "255"),
            Map.entry(Scalar.UINT16, "65535"),
            Map.entry(Scalar.UINT32, "4294967295"),
            Map.entry(Scalar.UINT64, "18446744073709551615"),
            Map.entry(Scalar.FLOAT32, "0.1"),
            Map.entry(Scalar.FLOAT64, "nan"),
            Map.entry(new Decimal(4, 2), "-0.05"),
            Map.entry(new Decimal(18, 3), "123456789012345.500"),
            Map.entry(new Decimal(38, 2), "-123456789012345678901234567890123456.78"),
            Map.entry(Scalar.DATE, "0045-03-15 (BC)"),
            Map.entry(Scalar.TIME, "23:59:59.999999"),
            Map.entry(Scalar.TIMESTAMP, "1969-12-31 23:59:59.000001"),
            Map.entry(Scalar.TIMESTAMP_S, "2024-01-02 03:04:05"),
            Map.entry(Scalar.TIMESTAMP_MS, "2024-01-02 03:04:05.006"),
            Map.entry(Scalar.TIMESTAMP_NS, "2024-01-02 03:04:05.123456789"),
            Map.entry(Scalar.TIMESTAMPTZ, "2024-01-02 03:04:05.000006+00"),
            Map.entry(Scalar.VARCHAR, "é\u0000'\\"),
            Map.entry(Scalar.JSON, "{\"a\": 1}"),
            Map.entry(Scalar.BLOB, "\\xDEA"),
            Map.entry(Scalar.UUID, "f1111111-2222-3333-4444-555555555555"));
    List<ColumnType> types = List.copyOf(values.keySet());
    List<Column> columns = new ArrayList<>();
    for (ColumnType type : types) {
      columns.add(column(columns.size() + 1, "c" + columns.size(), type));
    }
    WrittenFile file =
        write(
            columns, types.stream().map(values::get).toArray(), new @Nullable Object[types.size()]);
    List<List<@Nullable String>> rows = read(file, "CAST(COLUMNS(*) AS VARCHAR)");
    assertThat(rows.get(0)).isEqualTo(types.stream().map(expected::get).toList());
    assertThat(rows.get(1)).containsOnlyNulls();
  }

  @Test
  void nestedValuesAndFieldIdsAreDuckLakes() throws SQLException {
    List<Column> columns =
        List.of(
            column(1, "id", Scalar.INT32),
            column(
                2,
                "s",
                Nested.STRUCT,
                column(3, "a", Scalar.INT32),
                column(4, "l", Nested.LIST, column(5, "element", Scalar.VARCHAR))),
            column(
                6,
                "m",
                Nested.MAP,
                column(7, "key", Scalar.VARCHAR),
                column(8, "value", Nested.STRUCT, column(9, "x", Scalar.INT64))));
    WrittenFile file =
        write(
            columns,
            new @Nullable Object[] {
              1, Arrays.asList(null, Arrays.asList("x", null)), Map.of("k", List.of(7))
            },
            new @Nullable Object[] {2, null, Map.of()},
            new @Nullable Object[] {3, Arrays.asList(5, List.of()), null});
    assertThat(read(file, "CAST(COLUMNS(*) AS VARCHAR)"))
        .containsExactly(
            List.of("1", "{'a': NULL, 'l': [x, NULL]}", "{k={'x': 7}}"),
            Arrays.asList("2", null, "{}"),
            Arrays.asList("3", "{'a': 5, 'l': []}", null));
    assertThat(
            query(
                "SELECT name, field_id FROM parquet_schema('%s') WHERE column_id > 0 ORDER BY"
                        .formatted(file.path())
                    + " column_id"))
        .containsExactly(
            List.of("id", "1"),
            List.of("s", "2"),
            List.of("a", "3"),
            List.of("l", "4"),
            Arrays.asList("list", null),
            List.of("element", "5"),
            List.of("m", "6"),
            Arrays.asList("key_value", null),
            List.of("key", "7"),
            List.of("value", "8"),
            List.of("x", "9"));
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void sizesAreExactAndRowGroupsBounded(Compression compression) throws Exception {
    List<Column> columns = List.of(column(1, "i", Scalar.INT64), column(2, "v", Scalar.VARCHAR));
    WrittenFile file;
    try (ParquetTableWriter writer =
        ParquetTableWriter.open(
            store,
            KEY,
            columns,
            ParquetWriteOptions.defaults().with(compression).withRowGroupBytes(64 << 10))) {
      for (long i = 0; i < 20_000; i++) {
        writer.write(i, "value " + i * 31);
      }
      file = writer.finish();
    }
    Path path = Path.of(file.path());
    assertThat(file.recordCount()).isEqualTo(20_000);
    assertThat(file.fileSizeBytes()).isEqualTo(Files.size(path));
    byte[] bytes = Files.readAllBytes(path);
    assertThat(new String(bytes, bytes.length - 4, 4, StandardCharsets.US_ASCII)).isEqualTo("PAR1");
    assertThat(query("SELECT footer_size FROM parquet_file_metadata('%s')".formatted(file.path())))
        .containsExactly(List.of(Long.toString(file.footerSize())));
    assertThat(query("SELECT count(*), sum(i) FROM '%s'".formatted(file.path())))
        .containsExactly(List.of("20000", "199990000"));
    List<List<@Nullable String>> groups =
        query("SELECT num_row_groups FROM parquet_file_metadata('%s')".formatted(file.path()));
    assertThat(Integer.parseInt(String.valueOf(groups.get(0).get(0)), 10)).isGreaterThan(3);
  }

  @Test
  void aFileThatIsNotFinishedLeavesNothing() {
    try (ParquetTableWriter writer =
        ParquetTableWriter.open(
            store, KEY, List.of(column(1, "i", Scalar.INT8)), ParquetWriteOptions.defaults())) {
      writer.write(1);
    }
    assertThat(store.exists(KEY)).isFalse();
  }

  @Test
  void valuesThatDoNotFitAreRefusedByName() {
    assertRefused(
        Scalar.INT8, 128, "column c is a int8 and cannot hold a Integer; 128 is out of range");
    assertRefused(Scalar.UINT32, -1, "-1 is out of range");
    assertRefused(Scalar.INT32, 1.0, "a whole number is needed");
    assertRefused(new Decimal(4, 2), new BigDecimal("1.555"), "column c is a decimal(4,2)");
    assertRefused(new Decimal(4, 2), new BigDecimal("100"), "has too many digits");
    assertRefused(
        Scalar.TIMESTAMP, LocalDateTime.of(2024, 1, 1, 0, 0, 0, 1), "finer than the type");
    assertRefused(Scalar.VARCHAR, 1, "column c is a varchar and cannot hold a Integer");
  }

  @Test
  void typesThatParquetCannotKeepAreRefused() {
    for (Scalar type : List.of(Scalar.INT128, Scalar.INTERVAL, Scalar.VARIANT)) {
      assertThatThrownBy(
              () ->
                  ParquetTableWriter.open(
                      store, KEY, List.of(column(1, "c", type)), ParquetWriteOptions.defaults()))
          .isInstanceOf(ParquetWriteException.class)
          .hasMessageContaining("column c is a " + type.text() + ", which is not written");
    }
    assertThat(store.exists(KEY)).isFalse();
  }

  private void assertRefused(ColumnType type, Object value, String message) {
    try (ParquetTableWriter writer =
        ParquetTableWriter.open(
            store, KEY, List.of(column(1, "c", type)), ParquetWriteOptions.defaults())) {
      assertThatThrownBy(() -> writer.write(value))
          .isInstanceOf(ParquetWriteException.class)
          .hasMessageContaining(message);
      assertThatThrownBy(writer::finish)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the file has ended");
    }
    assertThat(store.exists(KEY)).isFalse();
  }

  private WrittenFile write(List<Column> columns, @Nullable Object[]... rows) {
    try (ParquetTableWriter writer =
        ParquetTableWriter.open(store, KEY, columns, ParquetWriteOptions.defaults())) {
      for (@Nullable Object[] row : rows) {
        writer.write(row);
      }
      return writer.finish();
    }
  }

  private static Column column(long id, String name, ColumnType type, Column... children) {
    return new Column(id, name, type, Nulls.ALLOWED, null, null, null, null, List.of(children));
  }

  private static List<List<@Nullable String>> read(WrittenFile file, String select)
      throws SQLException {
    return query("SELECT %s FROM '%s'".formatted(select, file.path()));
  }

  private static List<List<@Nullable String>> query(String sql) throws SQLException {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      try (ResultSet result = statement.executeQuery(sql)) {
        while (result.next()) {
          List<@Nullable String> row = new ArrayList<>();
          for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            row.add(result.getString(i));
          }
          rows.add(row);
        }
      }
    }
    return rows;
  }
}
