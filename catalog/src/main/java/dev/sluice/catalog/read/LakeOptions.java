package dev.sluice.catalog.read;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code ducklake_metadata}. Options are not versioned: they are what they are now,
 * whatever the snapshot. Immutable.
 */
public final class LakeOptions {

  private final List<Option> all;

  LakeOptions(List<Option> all) {
    this.all = List.copyOf(all);
  }

  /** Every row, in no particular order. */
  public List<Option> all() {
    return all;
  }

  /** The lake-wide value. */
  public Optional<String> find(String key) {
    return find(key, null, 0);
  }

  /** The value for a schema: its own, else the lake's. */
  public Optional<String> findForSchema(String key, long schemaId) {
    return find(key, Scope.SCHEMA, schemaId).or(() -> find(key));
  }

  /** The value for a table: its own, else its schema's, else the lake's. */
  public Optional<String> findForTable(String key, long schemaId, long tableId) {
    return find(key, Scope.TABLE, tableId).or(() -> findForSchema(key, schemaId));
  }

  private Optional<String> find(String key, @Nullable Scope scope, long scopeId) {
    return all.stream()
        .filter(option -> option.key().equals(key) && option.scope() == scope)
        .filter(option -> option.scopeId() == null || option.scopeId() == scopeId)
        .map(Option::value)
        .findFirst();
  }

  /**
   * One option.
   *
   * @param key the key
   * @param value the value, always text
   * @param scope null when lake-wide
   * @param scopeId schema or table id; null when lake-wide
   */
  public record Option(String key, String value, @Nullable Scope scope, @Nullable Long scopeId) {}

  /** What an option that is not lake-wide belongs to. */
  public enum Scope {
    SCHEMA,
    TABLE;

    static @Nullable Scope parse(@Nullable String text) {
      return text == null ? null : valueOf(text.toUpperCase(Locale.ROOT));
    }
  }
}
