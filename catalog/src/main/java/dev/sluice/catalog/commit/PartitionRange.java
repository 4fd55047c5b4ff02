package dev.sluice.catalog.commit;

import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.PartitionTransform.Bucket;
import dev.sluice.catalog.PartitionTransform.Simple;
import org.jspecify.annotations.Nullable;

/** Which texts a partition transform can yield (ducklake-format 10.2). */
final class PartitionRange {

  private static final int MAX_DIGITS = 9;

  private PartitionRange() {}

  /** Whether the value may be one of the transform's; null stands for SQL NULL, always possible. */
  static boolean holds(PartitionTransform transform, @Nullable String value) {
    if (value == null) {
      return true;
    }
    return switch (transform) {
      case Bucket(int buckets) -> isBetween(value, 0, buckets - 1);
      case Simple simple ->
          switch (simple) {
            case IDENTITY -> true;
            case YEAR -> isBetween(value, -999_999, 999_999);
            case MONTH -> isBetween(value, 1, 12);
            case DAY -> isBetween(value, 1, 31);
            case HOUR -> isBetween(value, 0, 23);
          };
    };
  }

  private static boolean isBetween(String value, int least, int most) {
    String digits = value.startsWith("-") ? value.substring(1) : value;
    boolean isNumber = !digits.isEmpty() && digits.length() <= MAX_DIGITS;
    if (!isNumber || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return false;
    }
    int number = Integer.parseInt(value, 10);
    return number >= least && number <= most;
  }
}
