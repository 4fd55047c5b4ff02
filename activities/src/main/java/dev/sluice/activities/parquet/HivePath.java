package dev.sluice.activities.parquet;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code key=value} folders of a path, found and decoded as DuckDB 1.5.5 does it, because
 * DuckDB finds them again on every read of a file whose mapping takes a value from the path.
 *
 * <p>A folder counts when it has exactly one {@code =} behind at least one character and no {@code
 * ?} and no line break; the first folder of a key wins; values are percent-decoded, keys are not.
 *
 * @param entries in order of first appearance, no key twice
 */
public record HivePath(List<Entry> entries) {

  /** The folder value that stands for NULL. */
  public static final String DEFAULT_PARTITION = "__HIVE_DEFAULT_PARTITION__";

  /** Copies the entries. */
  public HivePath {
    entries = List.copyOf(entries);
  }

  /**
   * One folder.
   *
   * @param key as spelled in the path
   * @param name the key percent-decoded: the name of the column that is meant
   * @param raw the value as spelled in the path
   * @param text the value percent-decoded
   */
  public record Entry(String key, String name, String raw, String text) {

    /** Whether DuckDB reads the value as NULL into a column of the type. */
    public boolean isNull(ColumnType type) {
      return isNullMarker(raw) || (raw.isEmpty() && type != Scalar.VARCHAR && type != Scalar.JSON);
    }

    /** The value in a type's own spelling; empty when it is not surely a value of the type. */
    public Optional<String> spelled(ColumnType type) {
      return HivePath.spelled(text, type);
    }
  }

  /** Text in a type's own spelling; empty when it is not surely a value of the type. */
  public static Optional<String> spelled(String text, ColumnType type) {
    return Optional.ofNullable(PathValue.cast(text, type));
  }

  /**
   * Whether DuckDB reads a value as NULL into a column of any type.
   *
   * @param raw the value as spelled in the path: DuckDB judges it before it decodes, so that {@code
   *     %4EULL} is the text {@code NULL}
   */
  public static boolean isNullMarker(String raw) {
    return raw.equals(DEFAULT_PARTITION) || raw.toLowerCase(Locale.ROOT).equals("null");
  }

  /**
   * Parses a path; its last segment is the file and never counts.
   *
   * @throws ParquetRefusedException if a value is not UTF-8 when decoded
   */
  public static HivePath parse(String path) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    int start = 0;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '/' || c == '\\') {
        addSegment(path, path.substring(start, i), entries);
        start = i + 1;
      }
    }
    return new HivePath(List.copyOf(entries.values()));
  }

  private static void addSegment(String path, String segment, Map<String, Entry> entries) {
    int equals = segment.indexOf('=');
    if (equals <= 0
        || segment.indexOf('=', equals + 1) >= 0
        || segment.indexOf('?') >= 0
        || segment.indexOf('\n') >= 0) {
      return;
    }
    String key = segment.substring(0, equals);
    if (!entries.containsKey(key)) {
      String value = segment.substring(equals + 1);
      String text = decode(value);
      if (text == null) {
        throw ParquetErrors.undecodablePathValue(path, key, value);
      }
      String name = decode(key);
      entries.put(key, new Entry(key, name == null ? key : name, value, text));
    }
  }

  /** The value of a column, its name matched without regard to case. */
  public Optional<Entry> find(String column) {
    return entries.stream().filter(entry -> entry.name().equalsIgnoreCase(column)).findFirst();
  }

  /** Percent-decodes; null when the bytes are not UTF-8. */
  private static @Nullable String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(PercentText.decode(text)))
          .toString();
    } catch (CharacterCodingException noUtf8) {
      return null;
    }
  }
}
