package dev.sluice.activities.delta;

import dev.sluice.activities.parquet.FileField;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.parquet.StoredFooters;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Struct;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table as our snapshot describes them, read by DuckDB, each as a text: columns are
 * found by name or field id, partition values come from the log, deleted positions are left out.
 */
final class PlannedRows {

  private final ObjectStore folder;
  private final DeltaSnapshot snapshot;
  private int variables;

  PlannedRows(ObjectStore folder, DeltaSnapshot snapshot) {
    this.folder = folder;
    this.snapshot = snapshot;
  }

  /** Reads all live rows. */
  List<String> read() throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement()) {
      statement.execute("SET timezone = 'UTC'");
      for (DeltaFile file : DeltaFolder.liveFiles(snapshot)) {
        try (ResultSet row = statement.executeQuery(query(file))) {
          while (row.next()) {
            rows.add(RowTexts.struct(values(row)));
          }
        }
      }
    }
    return rows;
  }

  private String query(DeltaFile file) {
    List<FileField> fields =
        new ParquetFooters(new StoredFooters(folder)).read(file.key()).schema().fields();
    String columns =
        snapshot.columns().stream()
            .map(
                column ->
                    file.partitionValues().containsKey(column.name())
                        ? constant(column, file.partitionValues().get(column.name()))
                        : column(column, fields, ""))
            .collect(Collectors.joining(", "));
    return "SELECT %s FROM read_parquet('%s', hive_partitioning = false, file_row_number = true)%s ORDER BY file_row_number"
        .formatted(columns, folder.uri(file.key()).replace("'", "''"), livePositions(file));
  }

  private String livePositions(DeltaFile file) {
    DeletionVector vector = file.deletionVector();
    return vector == null
        ? ""
        : " WHERE file_row_number NOT IN (SELECT unnest(%s))"
            .formatted(
                DeltaDeletes.read(folder, vector)
                    .positions()
                    .mapToObj(Long::toString)
                    .collect(Collectors.joining(", ", "[", "]::BIGINT[]")));
  }

  private static String constant(DeltaColumn column, @Nullable String value) {
    return text(column.type(), value == null ? "NULL" : "'" + value.replace("'", "''") + "'");
  }

  /** A column of the file as text, NULL when the file lacks it. */
  private String column(DeltaColumn column, List<FileField> fields, String parent) {
    return find(column, fields)
        .map(
            field ->
                value(column, field, parent + "\"" + field.name().replace("\"", "\"\"") + "\""))
        .orElse(emptyOf(column));
  }

  private Optional<FileField> find(DeltaColumn column, List<FileField> fields) {
    return fields.stream()
        .filter(
            field ->
                snapshot.columnMapping() == ColumnMapping.ID
                    ? column.fieldId() != null && column.fieldId().equals(field.fieldId())
                    : field.name().equalsIgnoreCase(column.physicalName()))
        .findFirst();
  }

  private static String emptyOf(DeltaColumn column) {
    return "CAST(NULL AS " + textType(column) + ")";
  }

  private static String textType(DeltaColumn column) {
    if (column.type() == Nested.STRUCT) {
      List<String> fields = new ArrayList<>();
      for (int i = 0; i < column.children().size(); i++) {
        fields.add("f" + i + " " + textType(column.children().get(i)));
      }
      return "STRUCT(" + String.join(", ", fields) + ")";
    }
    if (column.type() == Nested.LIST) {
      return textType(column.children().get(0)) + "[]";
    }
    return column.type() == Nested.MAP
        ? "MAP(%s, %s)"
            .formatted(textType(column.children().get(0)), textType(column.children().get(1)))
        : "VARCHAR";
  }

  private String value(DeltaColumn column, FileField field, String sql) {
    if (column.type() == Nested.STRUCT) {
      List<String> fields = new ArrayList<>();
      for (int i = 0; i < column.children().size(); i++) {
        fields.add(
            "f%d := %s"
                .formatted(i, column(column.children().get(i), field.children(), sql + ".")));
      }
      return "CASE WHEN %s IS NULL THEN NULL ELSE struct_pack(%s) END"
          .formatted(sql, String.join(", ", fields));
    }
    String variable = "v" + variables++;
    if (column.type() == Nested.LIST) {
      return "list_transform(%s, lambda %s: %s)"
          .formatted(
              sql, variable, value(column.children().get(0), field.children().get(0), variable));
    }
    if (column.type() == Nested.MAP) {
      return "map_from_entries(list_transform(map_entries(%s), lambda %s: struct_pack(k := %s, v := %s)))"
          .formatted(
              sql,
              variable,
              value(column.children().get(0), field.children().get(0), variable + ".key"),
              value(column.children().get(1), field.children().get(1), variable + ".value"));
    }
    return text(column.type(), sql);
  }

  private static String text(ColumnType type, String sql) {
    if (type == Scalar.DATE) {
      return "CAST(CAST(%s AS DATE) - DATE '1970-01-01' AS VARCHAR)".formatted(sql);
    }
    if (type == Scalar.TIMESTAMP || type == Scalar.TIMESTAMPTZ) {
      return "CAST(epoch_us(CAST(%s AS %s)) AS VARCHAR)".formatted(sql, type.text());
    }
    return type == Scalar.BLOB
        ? "lower(hex(CAST(%s AS BLOB)))".formatted(sql)
        : "CAST(CAST(%s AS %s) AS VARCHAR)".formatted(sql, duckDbType(type));
  }

  private static String duckDbType(ColumnType type) {
    return switch (type.text()) {
      case "int8" -> "TINYINT";
      case "int16" -> "SMALLINT";
      case "int32" -> "INTEGER";
      case "int64" -> "BIGINT";
      case "float32" -> "FLOAT";
      case "float64" -> "DOUBLE";
      case String other -> other.toUpperCase(Locale.ROOT);
    };
  }

  private List<String> values(ResultSet row) throws SQLException {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < snapshot.columns().size(); i++) {
      values.add(spelled(snapshot.columns().get(i), row.getObject(i + 1)));
    }
    return values;
  }

  private static String spelled(DeltaColumn column, @Nullable Object value) throws SQLException {
    return switch (value) {
      case null -> RowTexts.NULL;
      case Struct struct -> {
        Object[] attributes = struct.getAttributes();
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < attributes.length; i++) {
          fields.add(spelled(column.children().get(i), attributes[i]));
        }
        yield RowTexts.struct(fields);
      }
      case Array array -> {
        List<String> elements = new ArrayList<>();
        for (Object element : Arrays.asList((Object[]) array.getArray())) {
          elements.add(spelled(column.children().get(0), element));
        }
        yield RowTexts.list(elements);
      }
      case Map<?, ?> map -> {
        List<String> keys = new ArrayList<>();
        List<String> elements = new ArrayList<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          keys.add(spelled(column.children().get(0), entry.getKey()));
          elements.add(spelled(column.children().get(1), entry.getValue()));
        }
        yield RowTexts.map(keys, elements);
      }
      default -> scalar(column.type(), value.toString());
    };
  }

  private static String scalar(ColumnType type, String text) {
    if (type instanceof Decimal) {
      return RowTexts.number(new BigDecimal(text));
    }
    if (type == Scalar.FLOAT32 || type == Scalar.FLOAT64) {
      return real(type, text.replace("inf", "Infinity").replace("nan", "NaN"));
    }
    if (type == Scalar.DATE) {
      return RowTexts.day(Long.parseLong(text, 10));
    }
    if (type == Scalar.TIMESTAMP || type == Scalar.TIMESTAMPTZ) {
      return RowTexts.micros(Long.parseLong(text, 10));
    }
    return type == Scalar.VARCHAR ? RowTexts.text(text) : text;
  }

  private static String real(ColumnType type, String text) {
    return RowTexts.real(
        type == Scalar.FLOAT32 ? Float.parseFloat(text) : Double.parseDouble(text));
  }
}
