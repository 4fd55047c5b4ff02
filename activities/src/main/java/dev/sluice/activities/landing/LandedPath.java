package dev.sluice.activities.landing;

import dev.sluice.activities.parquet.HivePath;
import dev.sluice.activities.parquet.PercentText;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Where a file of a prepared folder lies below its landing prefix.
 *
 * <p>Folders and file names keep their order and meaning, but every segment is spelled so that each
 * reader resolves it alike: DuckDB takes partition values from {@code key=value} segments of the
 * path, percent-decoded, and misses a segment with a second {@code =} or a {@code ?} in it. So keys
 * and values are decoded once and encoded again as DuckLake's own writer does it (all bytes of
 * UTF-8 but {@code A-Za-z0-9_.~-}); other segments are encoded as they are, which keeps different
 * names different.
 */
final class LandedPath {

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private LandedPath() {}

  /** Returns the landed form of a path relative to the prepared folder. */
  static String of(String sourcePath) {
    StringBuilder landed = new StringBuilder(sourcePath.length() + 16);
    int start = 0;
    for (int slash = sourcePath.indexOf('/'); slash >= 0; slash = sourcePath.indexOf('/', start)) {
      landed.append(folder(sourcePath.substring(start, slash))).append('/');
      start = slash + 1;
    }
    return landed.append(encode(utf8(sourcePath.substring(start)))).toString();
  }

  /**
   * Returns a folder that stands for a column's value, by which every reader finds just this value.
   *
   * @param value null for SQL NULL
   */
  static String folder(String column, @Nullable String value) {
    return encode(utf8(column))
        + "="
        + (value == null ? HivePath.DEFAULT_PARTITION : value(encode(utf8(value)), false));
  }

  /** Returns the name of a file, encoded as the names of folders are. */
  static String name(String plain) {
    return encode(utf8(plain));
  }

  private static String folder(String segment) {
    int equals = segment.indexOf('=');
    if (equals <= 0) {
      return encode(utf8(segment));
    }
    return encode(PercentText.decode(segment.substring(0, equals)))
        + "="
        + value(segment.substring(equals + 1));
  }

  private static String value(String raw) {
    // Encoded needlessly, a marker is meant as text; plainly spelled it would turn into NULL.
    return value(encode(PercentText.decode(raw)), HivePath.isNullMarker(raw));
  }

  private static String value(String landed, boolean isNull) {
    return HivePath.isNullMarker(landed) && !isNull
        ? "%" + HEX.toHexDigits((byte) landed.charAt(0)) + landed.substring(1)
        : landed;
  }

  private static String encode(byte[] bytes) {
    StringBuilder encoded = new StringBuilder(bytes.length);
    for (byte b : bytes) {
      if (isPlain(b)) {
        encoded.append((char) b);
      } else {
        encoded.append('%').append(HEX.toHexDigits(b));
      }
    }
    return encoded.toString();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isPlain(byte b) {
    return (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || (b >= '0' && b <= '9')
        || b == '_'
        || b == '.'
        || b == '~'
        || b == '-';
  }
}
