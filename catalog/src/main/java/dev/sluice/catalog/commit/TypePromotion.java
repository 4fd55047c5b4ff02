package dev.sluice.catalog.commit;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Which retypes are widenings: old files are read with a cast, and old bounds are compared in the
 * new type, so both must keep their meaning (ducklake-format 4.4).
 */
final class TypePromotion {

  private static final Map<Scalar, Set<Scalar>> WIDER = new EnumMap<>(Scalar.class);

  static {
    WIDER.put(Scalar.INT8, EnumSet.of(Scalar.INT16, Scalar.INT32, Scalar.INT64));
    WIDER.put(Scalar.INT16, EnumSet.of(Scalar.INT32, Scalar.INT64));
    WIDER.put(Scalar.INT32, EnumSet.of(Scalar.INT64));
    WIDER.put(
        Scalar.UINT8,
        EnumSet.of(
            Scalar.UINT16, Scalar.UINT32, Scalar.UINT64, Scalar.INT16, Scalar.INT32, Scalar.INT64));
    WIDER.put(Scalar.UINT16, EnumSet.of(Scalar.UINT32, Scalar.UINT64, Scalar.INT32, Scalar.INT64));
    WIDER.put(Scalar.UINT32, EnumSet.of(Scalar.UINT64, Scalar.INT64));
    WIDER.put(Scalar.FLOAT32, EnumSet.of(Scalar.FLOAT64));
  }

  private TypePromotion() {}

  /** Whether values and bounds of one type stay right when the column becomes the other. */
  static boolean allowed(ColumnType from, ColumnType to) {
    if (from instanceof Scalar narrow && to instanceof Scalar wide) {
      return WIDER.getOrDefault(narrow, Set.of()).contains(wide);
    }
    return from instanceof Decimal narrow
        && to instanceof Decimal wide
        && !narrow.equals(wide)
        && wide.scale() >= narrow.scale()
        && wide.precision() - wide.scale() >= narrow.precision() - narrow.scale();
  }
}
