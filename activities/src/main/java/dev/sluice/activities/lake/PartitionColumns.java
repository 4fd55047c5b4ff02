package dev.sluice.activities.lake;

import dev.sluice.activities.query.Sql;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.PartitionTransform.Bucket;
import dev.sluice.catalog.PartitionTransform.Simple;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.BucketHash;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBScalarFunctionBuilder;
import org.jspecify.annotations.Nullable;

/** The values of a table's partition keys as further columns of a query (ducklake-format 10). */
final class PartitionColumns {

  private static final String NULL_FOLDER = "__HIVE_DEFAULT_PARTITION__";
  private static final String UNESCAPED = "-_.~";

  private final String doing;
  private final Table table;

  PartitionColumns(String doing, Table table) {
    this.doing = doing;
    this.table = table;
  }

  List<PartitionKey> keys() {
    return table.partitioning().keys();
  }

  /** Names of the further columns. */
  List<String> names() {
    return IntStream.range(0, keys().size()).mapToObj(PartitionColumns::name).toList();
  }

  private static String name(int key) {
    return "__sluice_partition_" + key;
  }

  /** The further columns over a relation of the table's columns; begins with a comma if any. */
  String select(WriteEngine engine) throws SQLException {
    StringBuilder sql = new StringBuilder();
    for (int i = 0; i < keys().size(); i++) {
      sql.append(", ").append(value(engine, keys().get(i))).append(" AS ").append(name(i));
    }
    return sql.toString();
  }

  private String value(WriteEngine engine, PartitionKey key) throws SQLException {
    Column column = ColumnFeeds.column(doing, table, key.column());
    String value = "t." + Sql.identifier(column.name());
    return switch (key.transform()) {
      case Simple simple ->
          switch (simple) {
            case IDENTITY -> value;
            case YEAR, MONTH, DAY, HOUR -> simple.text() + "(" + value + ")";
          };
      case Bucket bucket -> {
        String function = register(engine, column, bucket);
        String text = column.type() == Scalar.BLOB ? "hex(" + value + ")" : value;
        yield function + "(" + Sql.cast(text, "VARCHAR") + ")";
      }
    };
  }

  /** DuckDB's core has no such hash; ours is the one that prunes. */
  private String register(WriteEngine engine, Column column, Bucket bucket) throws SQLException {
    String function = "sluice_bucket_" + column.id() + "_" + bucket.buckets();
    if (engine.number(
            "SELECT count(*) FROM duckdb_functions() WHERE function_name = "
                + Sql.literal(function))
        > 0) {
      return function;
    }
    try (DuckDBScalarFunctionBuilder builder = DuckDBFunctions.scalarFunction()) {
      builder
          .withName(function)
          .withParameter(String.class)
          .withReturnType(Integer.class)
          .withFunction((String text) -> bucket(column.type(), text, bucket.buckets()))
          .register(engine.connection());
    }
    return function;
  }

  private static @Nullable Integer bucket(ColumnType type, @Nullable String text, int buckets) {
    if (text == null) {
      return null;
    }
    if (type == Scalar.BLOB) {
      return BucketHash.bucket(HexFormat.of().parseHex(text), buckets);
    }
    OptionalInt found = BucketHash.bucket(type, text, buckets);
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "'%s' of type %s has no bucket".formatted(text, type.text()));
    }
    return found.getAsInt();
  }

  /** The values of one partition, from a row that has the texts of the further columns first. */
  List<PartitionValue> values(ResultSet row) throws SQLException {
    List<PartitionValue> values = new ArrayList<>();
    for (int i = 0; i < keys().size(); i++) {
      values.add(new PartitionValue(keys().get(i), row.getString(i + 1)));
    }
    return values;
  }

  /** The folders of a file below the table's, with a slash at the end; cosmetic. */
  String folders(List<PartitionValue> values) {
    StringBuilder folders = new StringBuilder();
    Set<String> taken = new HashSet<>();
    for (PartitionValue each : values) {
      String word = word(each.key());
      String value = each.value();
      folders
          .append(escaped(taken.add(word) ? word : word + "_" + each.key().column()))
          .append('=')
          .append(value == null ? NULL_FOLDER : escaped(value))
          .append('/');
    }
    return folders.toString();
  }

  /** The column, or what is taken from it. */
  private static String word(PartitionKey key) {
    return key.transform().equals(PartitionTransform.identity())
        ? key.column()
        : key.transform().text().split("[(]", 2)[0];
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xff);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || UNESCAPED.indexOf(c) >= 0;
      if (plain) {
        escaped.append(c);
      } else {
        escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
      }
    }
    return escaped.toString();
  }
}
