package dev.sluice.activities.parquet;

import dev.sluice.catalog.ColumnType.Nested;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A column of a Parquet file as DuckDB sees it: the synthetic groups of lists and maps are left
 * out, so children are struct fields, the list's element, or the map's key and value.
 *
 * @param name name in the file; for list elements and map parts the role ({@code element}, {@code
 *     key}, {@code value})
 * @param type how DuckDB reads it
 * @param fieldId the Parquet field id; null when the file has none
 * @param presence whether the file's schema rules NULL out at this level
 * @param children nested columns, empty for leaves
 * @param leaf index of the leaf's facts in {@link ParquetFile#leaves()}; -1 for nested columns
 */
public record FileField(
    String name,
    FileType type,
    @Nullable Integer fieldId,
    Presence presence,
    List<FileField> children,
    int leaf) {

  /** Copies the children. */
  public FileField {
    children = List.copyOf(children);
  }

  /** Whether a value may be absent. */
  public enum Presence {
    REQUIRED,
    OPTIONAL
  }

  /** Whether it is a single column of values. */
  public boolean isLeaf() {
    return leaf >= 0;
  }

  /** The type for messages, nested types spelled out, e.g. {@code list(struct(x int32))}. */
  public String typeText() {
    return switch (type) {
      case FileType.Unsupported(String found, String reason) -> found;
      case FileType.Supported(Nested nested, FileType.Storage storage) ->
          nested.text()
              + children.stream()
                  .map(child -> nested == Nested.STRUCT ? child.named() : child.typeText())
                  .collect(Collectors.joining(", ", "(", ")"));
      case FileType.Supported supported ->
          supported.storage() == FileType.Storage.ALL_NULL ? "null" : supported.type().text();
    };
  }

  private String named() {
    return name + " " + typeText();
  }
}
