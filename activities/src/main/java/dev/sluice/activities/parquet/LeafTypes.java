package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.FileType.Storage;
import dev.sluice.activities.parquet.FileType.Supported;
import dev.sluice.activities.parquet.FileType.Unsupported;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.Locale;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimeType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/**
 * The type of a leaf as DuckDB 1.5.5 reads it. DuckDB knows UUID, half floats, times, timestamps
 * and typeless NULL columns by their logical type and everything else by the converted type only; a
 * file that has just the logical type for text or small integers is read as bytes or plain
 * integers.
 */
final class LeafTypes {

  private static final int MAX_DECIMAL_PRECISION = 38;

  private LeafTypes() {}

  static FileType of(SchemaElement element) {
    Type physical = element.getType();
    if (physical == null) {
      return new Unsupported("group without children", "DuckDB cannot read an empty group");
    }
    if (physical == Type.FIXED_LEN_BYTE_ARRAY && element.getType_length() <= 0) {
      return new Unsupported("FIXED_LEN_BYTE_ARRAY", "its length is missing");
    }
    if (element.isSetLogicalType()) {
      LogicalType logical = element.getLogicalType();
      if (logical.getSetField() == null) {
        return element.isSetConverted_type()
            ? converted(element)
            : new Unsupported(
                physical + " of an unknown logical type",
                "the logical type is newer than this version knows");
      }
      FileType byLogical = logical(element, physical, logical);
      if (byLogical != null) {
        return byLogical;
      }
    }
    return element.isSetConverted_type() ? converted(element) : plain(physical);
  }

  /** Returns null where the logical type decides nothing. */
  private static @Nullable FileType logical(
      SchemaElement element, Type physical, LogicalType logical) {
    return switch (logical.getSetField()) {
      case UNKNOWN -> new Supported(Scalar.INT32, Storage.ALL_NULL);
      case UUID ->
          physical == Type.FIXED_LEN_BYTE_ARRAY && element.getType_length() == 16
              ? new Supported(Scalar.UUID, Storage.UUID)
              : new Unsupported(physical + " (UUID)", "a UUID has 16 bytes of fixed length");
      case FLOAT16 ->
          physical == Type.FIXED_LEN_BYTE_ARRAY && element.getType_length() == 2
              ? new Supported(Scalar.FLOAT32, Storage.OPAQUE)
              : new Unsupported(physical + " (FLOAT16)", "a half float has 2 bytes");
      case TIME -> time(physical, logical.getTIME());
      case TIMESTAMP -> timestamp(physical, logical.getTIMESTAMP());
      case VARIANT -> unsupported("variant");
      case GEOMETRY -> unsupported("geometry");
      case GEOGRAPHY -> unsupported("geography");
      case STRING, MAP, LIST, ENUM, DECIMAL, DATE, INTEGER, JSON, BSON -> null;
    };
  }

  private static FileType unsupported(String what) {
    return new Unsupported(what, what + " columns are not supported by this version");
  }

  private static FileType time(Type physical, TimeType type) {
    boolean fits = physical == (type.getUnit().isSetMILLIS() ? Type.INT32 : Type.INT64);
    if (!fits) {
      return new Unsupported(physical + " (TIME)", "the unit does not go with the physical type");
    }
    return type.isIsAdjustedToUTC()
        ? new Supported(Scalar.TIMETZ, Storage.OPAQUE)
        : new Supported(Scalar.TIME, storage(type.getUnit()));
  }

  private static FileType timestamp(Type physical, TimestampType type) {
    if (physical != Type.INT64) {
      return new Unsupported(physical + " (TIMESTAMP)", "a timestamp is an INT64");
    }
    if (type.isIsAdjustedToUTC()) {
      return new Supported(Scalar.TIMESTAMPTZ, storage(type.getUnit()));
    }
    return type.getUnit().isSetNANOS()
        ? new Supported(Scalar.TIMESTAMP_NS, Storage.NANOS)
        : new Supported(Scalar.TIMESTAMP, storage(type.getUnit()));
  }

  private static Storage storage(TimeUnit unit) {
    if (unit.isSetMILLIS()) {
      return Storage.MILLIS;
    }
    return unit.isSetMICROS() ? Storage.MICROS : Storage.NANOS;
  }

  private static FileType converted(SchemaElement element) {
    Type physical = element.getType();
    ConvertedType converted = element.getConverted_type();
    return switch (converted) {
      case INT_8 -> integer(physical, Type.INT32, Scalar.INT8, Storage.SIGNED_32, converted);
      case INT_16 -> integer(physical, Type.INT32, Scalar.INT16, Storage.SIGNED_32, converted);
      case INT_32 -> integer(physical, Type.INT32, Scalar.INT32, Storage.SIGNED_32, converted);
      case INT_64 -> integer(physical, Type.INT64, Scalar.INT64, Storage.SIGNED_64, converted);
      case UINT_8 -> integer(physical, Type.INT32, Scalar.UINT8, Storage.UNSIGNED_32, converted);
      case UINT_16 -> integer(physical, Type.INT32, Scalar.UINT16, Storage.UNSIGNED_32, converted);
      case UINT_32 -> integer(physical, Type.INT32, Scalar.UINT32, Storage.UNSIGNED_32, converted);
      case UINT_64 -> integer(physical, Type.INT64, Scalar.UINT64, Storage.UNSIGNED_64, converted);
      case DATE -> integer(physical, Type.INT32, Scalar.DATE, Storage.DAYS, converted);
      case TIME_MILLIS -> integer(physical, Type.INT32, Scalar.TIME, Storage.MILLIS, converted);
      case TIME_MICROS -> integer(physical, Type.INT64, Scalar.TIME, Storage.MICROS, converted);
      case TIMESTAMP_MILLIS ->
          integer(physical, Type.INT64, Scalar.TIMESTAMP, Storage.MILLIS, converted);
      case TIMESTAMP_MICROS ->
          integer(physical, Type.INT64, Scalar.TIMESTAMP, Storage.MICROS, converted);
      case UTF8, ENUM -> bytes(physical, Scalar.VARCHAR, converted);
      case JSON -> bytes(physical, Scalar.JSON, converted);
      case DECIMAL -> decimal(element, physical);
      case INTERVAL ->
          physical == Type.FIXED_LEN_BYTE_ARRAY && element.getType_length() == 12
              ? new Supported(Scalar.INTERVAL, Storage.OPAQUE)
              : mismatch(physical, converted);
      case BSON, MAP, MAP_KEY_VALUE, LIST ->
          new Unsupported(
              physical + " (" + converted + ")", "DuckDB does not read a column of this kind");
    };
  }

  private static FileType integer(
      Type physical, Type required, ColumnType type, Storage storage, ConvertedType converted) {
    return physical == required ? new Supported(type, storage) : mismatch(physical, converted);
  }

  private static FileType bytes(Type physical, ColumnType type, ConvertedType converted) {
    return physical == Type.BYTE_ARRAY || physical == Type.FIXED_LEN_BYTE_ARRAY
        ? new Supported(type, Storage.TEXT)
        : mismatch(physical, converted);
  }

  private static FileType mismatch(Type physical, ConvertedType converted) {
    return new Unsupported(
        physical + " (" + converted + ")", "the annotation does not go with the physical type");
  }

  private static FileType decimal(SchemaElement element, Type physical) {
    int precision = element.getPrecision();
    int scale = element.getScale();
    String found = String.format(Locale.ROOT, "decimal(%d,%d)", precision, scale);
    if (precision > MAX_DECIMAL_PRECISION) {
      return new Unsupported(
          found, "DuckDB has decimals of 38 digits and reads this one as a double");
    }
    if (precision < 1 || scale < 0 || scale > precision) {
      return new Unsupported(found, "precision and scale do not go together");
    }
    ColumnType type = new Decimal(precision, scale);
    return switch (physical) {
      case INT32 -> new Supported(type, Storage.DECIMAL_32);
      case INT64 -> new Supported(type, Storage.DECIMAL_64);
      case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> new Supported(type, Storage.DECIMAL_BYTES);
      case BOOLEAN, INT96, FLOAT, DOUBLE -> mismatch(physical, ConvertedType.DECIMAL);
    };
  }

  private static FileType plain(Type physical) {
    return switch (physical) {
      case BOOLEAN -> new Supported(Scalar.BOOLEAN, Storage.BOOLEAN);
      case INT32 -> new Supported(Scalar.INT32, Storage.SIGNED_32);
      case INT64 -> new Supported(Scalar.INT64, Storage.SIGNED_64);
      case INT96 -> new Supported(Scalar.TIMESTAMP, Storage.OPAQUE);
      case FLOAT -> new Supported(Scalar.FLOAT32, Storage.FLOAT);
      case DOUBLE -> new Supported(Scalar.FLOAT64, Storage.DOUBLE);
      case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> new Supported(Scalar.BLOB, Storage.OPAQUE);
    };
  }
}
