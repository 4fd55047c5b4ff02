package dev.sluice.activities.verify;

import dev.sluice.activities.parquet.FileField;
import dev.sluice.activities.parquet.FooterStatistics;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.SourceColumn;
import dev.sluice.activities.query.TableFile;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts together how one file of a source is read as the columns that will be published. Nothing of
 * what landing noted is used, so that a mistake there is not made here again. Not thread-safe.
 */
final class PartBuilder {

  private final ParquetFile file;
  private final List<MappedField> mapped = new ArrayList<>();
  private final List<LeafStatistics> statistics = new ArrayList<>();
  private final Map<String, Optional<String>> values = new HashMap<>();
  private final Map<String, Optional<String>> partition = new HashMap<>();

  /**
   * Begins a part.
   *
   * @param file its footer
   */
  PartBuilder(ParquetFile file) {
    this.file = file;
  }

  /** Takes a column from the file itself; does nothing and says false when that lacks it. */
  boolean addFromFile(SourceColumn column) {
    Optional<FileField> field = FooterStatistics.find(file.schema().fields(), column);
    field.ifPresent(
        found -> {
          mapped.add(mapped(found, column));
          statistics.addAll(FooterStatistics.of(file, found, column));
        });
    return field.isPresent();
  }

  /** Gives all rows NULL in a column, whatever the file has. */
  void addNull(String column) {
    values.put(column, Optional.empty());
    partition.put(column, Optional.empty());
  }

  /**
   * Gives all rows one value in a column, whatever the file has.
   *
   * @param text as DuckDB casts it to the column's type
   * @param spelled the same in the type's own spelling; empty when it is not surely that value
   */
  void addValue(String column, String text, Optional<String> spelled) {
    values.put(column, Optional.of(text));
    spelled.ifPresent(value -> partition.put(column, Optional.of(value)));
  }

  /**
   * The part.
   *
   * @param path full path of the file
   */
  Side.Part part(String path, TableFile.DeletedRows deleted) {
    return new Side.Part(
        new TableFile(
            path,
            file.sizeBytes(),
            file.rows(),
            new FileMapping.ByName(mapped),
            values,
            List.of(),
            deleted),
        statistics,
        partition);
  }

  private static MappedField mapped(FileField field, SourceColumn column) {
    List<MappedField> children = new ArrayList<>();
    for (int i = 0; i < column.children().size(); i++) {
      SourceColumn child = column.children().get(i);
      FooterStatistics.findChild(field, column, i)
          .ifPresent(found -> children.add(mapped(found, child)));
    }
    if (column.type() == Nested.LIST) {
      children.replaceAll(MappedField::asListElement);
    }
    return new MappedField(field.name(), column.name(), Origin.FILE_COLUMN, children);
  }
}
