package dev.sluice.activities.parquet;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table to be published whose files call it otherwise.
 *
 * @param name its name in the table
 * @param sourceName its name in the files
 * @param fieldId its field id in the files, where only that counts; null where the name does
 * @param type its type in the table
 * @param children nested columns; empty for scalars
 */
public record SourceColumn(
    String name,
    String sourceName,
    @Nullable Integer fieldId,
    ColumnType type,
    List<SourceColumn> children) {

  /** Copies the children. */
  public SourceColumn {
    children = List.copyOf(children);
  }

  /** A column that files call as the table does. */
  public static SourceColumn named(Column column) {
    return new SourceColumn(
        column.name(),
        column.name(),
        null,
        column.type(),
        column.children().stream().map(SourceColumn::named).toList());
  }
}
