package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.FileType.Supported;
import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.LeafStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a footer says about columns that are wanted under certain names and types, whether or not
 * the file could be registered. Decides nothing: a column that does not fit has no bounds.
 */
public final class FooterStatistics {

  private FooterStatistics() {}

  /**
   * Finds the field of a column among those of one level; names are matched without regard to case.
   */
  public static Optional<FileField> find(List<FileField> fields, String column) {
    return fields.stream()
        .filter(field -> ColumnMatcher.lower(field.name()).equals(ColumnMatcher.lower(column)))
        .findFirst();
  }

  /** The leaves that the file has of a column, by the column's names. */
  public static List<LeafStatistics> of(ParquetFile file, FileField field, ColumnSpec column) {
    List<LeafStatistics> leaves = new ArrayList<>();
    add(file, field, column, List.of(column.name()), leaves);
    return leaves;
  }

  private static void add(
      ParquetFile file,
      FileField field,
      ColumnSpec column,
      List<String> path,
      List<LeafStatistics> leaves) {
    if (field.isLeaf()) {
      if (column.children().isEmpty()) {
        leaves.add(leaf(file.facts(field), field, column, path));
      }
      return;
    }
    for (int i = 0; i < column.children().size(); i++) {
      ColumnSpec child = column.children().get(i);
      Optional<FileField> found =
          column.type() == Nested.STRUCT
              ? find(field.children(), child.name())
              : field.children().stream().skip(i).findFirst();
      List<String> below = new ArrayList<>(path);
      below.add(child.name());
      found.ifPresent(each -> add(file, each, child, below, leaves));
    }
  }

  private static LeafStatistics leaf(
      LeafFacts facts, FileField field, ColumnSpec column, List<String> path) {
    Spelling.Spelled bounds = bounds(facts, field, column);
    return new LeafStatistics(
        path,
        facts.sizeBytes(),
        facts.values(),
        facts.nulls(),
        bounds == null ? null : bounds.min(),
        bounds == null ? null : bounds.max(),
        facts.containsNan(),
        null);
  }

  private static Spelling.@Nullable Spelled bounds(
      LeafFacts facts, FileField field, ColumnSpec column) {
    return facts.range() != null
            && field.type() instanceof Supported supported
            && BoundText.isOrdered(column.type())
        ? Spelling.range(facts.range(), supported.type(), column.type())
        : null;
  }
}
