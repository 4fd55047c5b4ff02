package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.FileType.Supported;
import dev.sluice.catalog.BoundText;
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
   * Finds the field of a column among those of one level: by its id where only that counts, else by
   * its name without regard to case.
   */
  public static Optional<FileField> find(List<FileField> fields, SourceColumn column) {
    return fields.stream().filter(field -> isThatOf(field, column)).findFirst();
  }

  private static boolean isThatOf(FileField field, SourceColumn column) {
    return column.fieldId() == null
        ? ColumnMatcher.lower(field.name()).equals(ColumnMatcher.lower(column.sourceName()))
        : column.fieldId().equals(field.fieldId());
  }

  /**
   * Finds the field of a column's child: members of structs as any column, elements of lists and
   * parts of maps by their place.
   */
  public static Optional<FileField> findChild(FileField field, SourceColumn column, int child) {
    return column.type() == Nested.STRUCT
        ? find(field.children(), column.children().get(child))
        : field.children().stream().skip(child).findFirst();
  }

  /** The leaves that the file has of a column, by the table's names. */
  public static List<LeafStatistics> of(ParquetFile file, FileField field, SourceColumn column) {
    List<LeafStatistics> leaves = new ArrayList<>();
    add(file, field, column, List.of(column.name()), leaves);
    return leaves;
  }

  private static void add(
      ParquetFile file,
      FileField field,
      SourceColumn column,
      List<String> path,
      List<LeafStatistics> leaves) {
    if (field.isLeaf()) {
      if (column.children().isEmpty()) {
        leaves.add(leaf(file.facts(field), field, column, path));
      }
      return;
    }
    for (int i = 0; i < column.children().size(); i++) {
      SourceColumn child = column.children().get(i);
      List<String> below = new ArrayList<>(path);
      below.add(child.name());
      findChild(field, column, i).ifPresent(each -> add(file, each, child, below, leaves));
    }
  }

  private static LeafStatistics leaf(
      LeafFacts facts, FileField field, SourceColumn column, List<String> path) {
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
      LeafFacts facts, FileField field, SourceColumn column) {
    return facts.range() != null
            && field.type() instanceof Supported supported
            && BoundText.isOrdered(column.type())
        ? Spelling.range(facts.range(), supported.type(), column.type())
        : null;
  }
}
