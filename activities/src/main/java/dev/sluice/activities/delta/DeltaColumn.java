package dev.sluice.activities.delta;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.Nulls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column of a Delta table at one version, with its nested children, in DuckLake's types.
 *
 * @param name the logical name; for list elements and map parts the role ({@code element}, {@code
 *     key}, {@code value})
 * @param physicalName the name in data files and in the log's partition values and statistics; the
 *     logical name where no column mapping is in use
 * @param fieldId the Parquet field id under {@link ColumnMapping#ID} and {@link
 *     ColumnMapping#NAME}; null without column mapping and for list elements and map parts
 * @param type the type; the present one where types were widened, so that older files may hold a
 *     narrower one
 * @param nulls whether NULL is allowed
 * @param children struct fields, the list's {@code element}, or the map's {@code key} and {@code
 *     value}; empty for scalars
 */
public record DeltaColumn(
    String name,
    String physicalName,
    @Nullable Integer fieldId,
    ColumnType type,
    Nulls nulls,
    List<DeltaColumn> children) {

  /** Copies the children. */
  public DeltaColumn {
    children = List.copyOf(children);
  }

  /** The column as a table would be made with it; children always allow NULL. */
  public ColumnSpec spec() {
    return new ColumnSpec(
        name, type, nulls, null, children.stream().map(DeltaColumn::nullableSpec).toList());
  }

  private ColumnSpec nullableSpec() {
    return new ColumnSpec(
        name, type, Nulls.ALLOWED, null, children.stream().map(DeltaColumn::nullableSpec).toList());
  }
}
