package dev.sluice.catalog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One entry of {@code ducklake_snapshot_changes.changes_made} (ducklake-format 2.3).
 *
 * @param kind what was done; {@link Kind#UNKNOWN} when a newer or foreign writer used another word
 * @param id the table, view, schema or macro id; null when the entry carries names
 * @param schema the schema's name; null when the entry carries an id
 * @param name the object's name in the schema; null for schemas and when the entry carries an id
 * @param text the entry as stored
 */
public record SnapshotChange(
    Kind kind, @Nullable Long id, @Nullable String schema, @Nullable String name, String text) {

  /**
   * Parses a change log.
   *
   * @param changesMade the stored text; null or empty means that nothing was recorded
   * @return the entries in stored order; what cannot be understood is an {@link Kind#UNKNOWN}
   *     entry, never an error and never left out
   */
  public static List<SnapshotChange> parse(@Nullable String changesMade) {
    if (changesMade == null || changesMade.isEmpty()) {
      return List.of();
    }
    return split(changesMade, ',').stream().map(SnapshotChange::entry).toList();
  }

  private static SnapshotChange entry(String text) {
    int colon = text.indexOf(':');
    Optional<Kind> kind = colon < 0 ? Optional.empty() : Kind.find(text.substring(0, colon));
    if (kind.isEmpty()) {
      return unknown(text);
    }
    String rest = text.substring(colon + 1);
    return rest.startsWith("\"") ? named(kind.get(), rest, text) : numbered(kind.get(), rest, text);
  }

  private static SnapshotChange numbered(Kind kind, String digits, String text) {
    boolean isId = !digits.isEmpty() && digits.length() <= 18;
    isId &= digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return isId ? new SnapshotChange(kind, Long.valueOf(digits), null, null, text) : unknown(text);
  }

  private static SnapshotChange named(Kind kind, String names, String text) {
    List<String> parts = split(names, '.');
    if (parts.size() > 2 || !parts.stream().allMatch(SnapshotChange::isQuoted)) {
      return unknown(text);
    }
    return new SnapshotChange(
        kind,
        null,
        unquoted(parts.get(0)),
        parts.size() == 2 ? unquoted(parts.get(1)) : null,
        text);
  }

  private static SnapshotChange unknown(String text) {
    return new SnapshotChange(Kind.UNKNOWN, null, null, null, text);
  }

  private static boolean isQuoted(String part) {
    return part.length() >= 2 && part.startsWith("\"") && part.endsWith("\"");
  }

  private static String unquoted(String part) {
    return part.substring(1, part.length() - 1).replace("\"\"", "\"");
  }

  /** Splits outside quotes; a doubled quote closes and opens again, which changes nothing. */
  private static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '"') {
        quoted = !quoted;
      } else if (text.charAt(i) == separator && !quoted) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  /** The closed vocabulary of format 1.0. */
  public enum Kind {
    CREATED_SCHEMA,
    CREATED_TABLE,
    CREATED_VIEW,
    CREATED_SCALAR_MACRO,
    CREATED_TABLE_MACRO,
    DROPPED_SCHEMA,
    DROPPED_TABLE,
    DROPPED_VIEW,
    DROPPED_SCALAR_MACRO,
    DROPPED_TABLE_MACRO,
    INSERTED_INTO_TABLE,
    DELETED_FROM_TABLE,
    ALTERED_TABLE,
    ALTERED_VIEW,
    INLINED_INSERT,
    INLINED_DELETE,
    INLINE_FLUSH,
    MERGE_ADJACENT,
    REWRITE_DELETE,
    /** Old word that DuckDB parses and ignores. */
    COMPACTED_TABLE,
    /** None of the above. */
    UNKNOWN;

    private static Optional<Kind> find(String word) {
      String lower = word.toLowerCase(Locale.ROOT);
      if (lower.equals("flushed_inlined")) {
        return Optional.of(INLINE_FLUSH);
      }
      return Arrays.stream(values())
          .filter(kind -> kind != UNKNOWN && kind.name().toLowerCase(Locale.ROOT).equals(lower))
          .findFirst();
    }
  }
}
