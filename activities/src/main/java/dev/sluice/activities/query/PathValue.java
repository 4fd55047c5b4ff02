package dev.sluice.activities.query;

import dev.sluice.activities.parquet.HivePath;
import dev.sluice.activities.parquet.PercentText;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Values in the {@code key=value} segments of a path, read as DuckDB reads them.
 *
 * <p>Verified with DuckDB 1.5.5: {@code NULL} in any case and {@code __HIVE_DEFAULT_PARTITION__}
 * are NULL, before percent-decoding; empty text is NULL for every type but VARCHAR; a segment with
 * a second equals sign or a question mark is none; the first segment of a key counts.
 */
final class PathValue {

  private PathValue() {}

  /** The undecoded value of a key in the folders of a path. */
  static Optional<String> find(String path, String key) {
    int start = 0;
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', start)) {
      String segment = path.substring(start, slash);
      int equals = segment.indexOf('=');
      if (equals > 0
          && segment.indexOf('=', equals + 1) < 0
          && segment.indexOf('?') < 0
          && isKey(segment.substring(0, equals), key)) {
        return Optional.of(segment.substring(equals + 1));
      }
      start = slash + 1;
    }
    return Optional.empty();
  }

  /** The value's text for a column; empty for NULL. */
  static Optional<String> text(String raw, boolean isVarchar) {
    if (HivePath.isNullMarker(raw) || (raw.isEmpty() && !isVarchar)) {
      return Optional.empty();
    }
    return Optional.of(decode(raw));
  }

  private static boolean isKey(String segmentKey, String key) {
    return segmentKey.equalsIgnoreCase(key) || decode(segmentKey).equalsIgnoreCase(key);
  }

  private static String decode(String text) {
    return new String(PercentText.decode(text), StandardCharsets.UTF_8);
  }
}
