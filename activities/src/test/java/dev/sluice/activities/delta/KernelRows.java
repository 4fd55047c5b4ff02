package dev.sluice.activities.delta;

import io.delta.kernel.Scan;
import io.delta.kernel.Snapshot;
import io.delta.kernel.TableManager;
import io.delta.kernel.data.ArrayValue;
import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.MapValue;
import io.delta.kernel.data.Row;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.data.ScanStateRow;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.types.ArrayType;
import io.delta.kernel.types.BinaryType;
import io.delta.kernel.types.BooleanType;
import io.delta.kernel.types.ByteType;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.DateType;
import io.delta.kernel.types.DecimalType;
import io.delta.kernel.types.DoubleType;
import io.delta.kernel.types.FloatType;
import io.delta.kernel.types.IntegerType;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.MapType;
import io.delta.kernel.types.ShortType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampNTZType;
import io.delta.kernel.types.TimestampType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The rows of a table as Delta Kernel's own reader gives them, each as a text. */
final class KernelRows {

  private final Engine engine = DefaultEngine.create(new PlainFileIO());

  /** Reads the newest version. */
  List<String> read(Path table) throws IOException {
    Snapshot snapshot = TableManager.loadSnapshot(table.toString()).build(engine);
    Scan scan = snapshot.getScanBuilder().build();
    Row state = scan.getScanState(engine);
    StructType physical = ScanStateRow.getPhysicalDataReadSchema(state);
    List<String> rows = new ArrayList<>();
    try (var batches = scan.getScanFiles(engine)) {
      while (batches.hasNext()) {
        try (var files = batches.next().getRows()) {
          while (files.hasNext()) {
            readFile(state, files.next(), physical, rows);
          }
        }
      }
    }
    return rows;
  }

  private void readFile(Row state, Row file, StructType physical, List<String> rows)
      throws IOException {
    var data =
        engine
            .getParquetHandler()
            .readParquetFiles(
                Utils.singletonCloseableIterator(InternalScanFileUtils.getAddFileStatus(file)),
                physical,
                Optional.empty())
            .map(result -> result.getData());
    try (var logical = Scan.transformPhysicalData(engine, state, file, data)) {
      while (logical.hasNext()) {
        FilteredColumnarBatch batch = logical.next();
        try (var live = batch.getRows()) {
          while (live.hasNext()) {
            rows.add(RowTexts.struct(values(live.next())));
          }
        }
      }
    }
  }

  private static List<String> values(Row row) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < row.getSchema().length(); i++) {
      DataType type = row.getSchema().at(i).getDataType();
      values.add(row.isNullAt(i) ? RowTexts.NULL : value(row, i, type));
    }
    return values;
  }

  private static String value(Row row, int at, DataType type) {
    return switch (type) {
      case BooleanType known -> Boolean.toString(row.getBoolean(at));
      case ByteType known -> Byte.toString(row.getByte(at));
      case ShortType known -> Short.toString(row.getShort(at));
      case IntegerType known -> Integer.toString(row.getInt(at));
      case DateType known -> RowTexts.day(row.getInt(at));
      case LongType known -> Long.toString(row.getLong(at));
      case TimestampType known -> RowTexts.micros(row.getLong(at));
      case TimestampNTZType known -> RowTexts.micros(row.getLong(at));
      case FloatType known -> RowTexts.real(row.getFloat(at));
      case DoubleType known -> RowTexts.real(row.getDouble(at));
      case StringType known -> RowTexts.text(row.getString(at));
      case BinaryType known -> HexFormat.of().formatHex(row.getBinary(at));
      case DecimalType known -> RowTexts.number(row.getDecimal(at));
      case StructType known -> RowTexts.struct(values(row.getStruct(at)));
      case ArrayType known -> list(row.getArray(at), known);
      case MapType known -> map(row.getMap(at), known);
      default -> throw new IllegalArgumentException("type " + type);
    };
  }

  private static String list(ArrayValue list, ArrayType type) {
    return RowTexts.list(vector(list.getElements(), list.getSize(), type.getElementType()));
  }

  private static String map(MapValue map, MapType type) {
    return RowTexts.map(
        vector(map.getKeys(), map.getSize(), type.getKeyType()),
        vector(map.getValues(), map.getSize(), type.getValueType()));
  }

  private static List<String> vector(ColumnVector vector, int size, DataType type) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      values.add(vector.isNullAt(i) ? RowTexts.NULL : element(vector, i, type));
    }
    return values;
  }

  private static String element(ColumnVector vector, int at, DataType type) {
    return switch (type) {
      case BooleanType known -> Boolean.toString(vector.getBoolean(at));
      case ByteType known -> Byte.toString(vector.getByte(at));
      case ShortType known -> Short.toString(vector.getShort(at));
      case IntegerType known -> Integer.toString(vector.getInt(at));
      case DateType known -> RowTexts.day(vector.getInt(at));
      case LongType known -> Long.toString(vector.getLong(at));
      case TimestampType known -> RowTexts.micros(vector.getLong(at));
      case TimestampNTZType known -> RowTexts.micros(vector.getLong(at));
      case FloatType known -> RowTexts.real(vector.getFloat(at));
      case DoubleType known -> RowTexts.real(vector.getDouble(at));
      case StringType known -> RowTexts.text(vector.getString(at));
      case BinaryType known -> HexFormat.of().formatHex(vector.getBinary(at));
      case DecimalType known -> RowTexts.number(vector.getDecimal(at));
      case StructType known -> {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < known.length(); i++) {
          ColumnVector field = vector.getChild(i);
          fields.add(
              field.isNullAt(at) ? RowTexts.NULL : element(field, at, known.at(i).getDataType()));
        }
        yield RowTexts.struct(fields);
      }
      case ArrayType known -> list(vector.getArray(at), known);
      case MapType known -> map(vector.getMap(at), known);
      default -> throw new IllegalArgumentException("type " + type);
    };
  }
}
