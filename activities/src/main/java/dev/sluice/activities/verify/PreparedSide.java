package dev.sluice.activities.verify;

import dev.sluice.activities.parquet.FileField;
import dev.sluice.activities.parquet.FooterStatistics;
import dev.sluice.activities.parquet.HivePath;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.PartitionFolders;
import dev.sluice.activities.parquet.SchemaInference;
import dev.sluice.activities.parquet.SchemaInference.HiveTypes;
import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.TableFile;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A prepared folder as the source of a generation: every column is found by its own name in each
 * file, and partition values in the folder's own paths. Nothing of what landing noted is used.
 */
public final class PreparedSide implements SourceSide {

  /** What copies of an S3 folder's files take on this machine while a batch of them is read. */
  private static final long COPY_BYTES = 1L << 30;

  private final ObjectStore folder;
  private final List<ParquetFile> footers;
  private final Set<String> noColumns;

  /**
   * A prepared folder.
   *
   * @param folder its store; the folder is the root
   * @param footers footers of all of its data files, by their keys there
   * @param live the table as it is, which tells folders that stand for parts of a column; empty
   *     before the first publication
   */
  public PreparedSide(ObjectStore folder, List<ParquetFile> footers, Optional<Table> live) {
    this.folder = folder;
    this.footers = List.copyOf(footers);
    this.noColumns = new HashSet<>();
    live.ifPresent(
        table -> {
          noColumns.addAll(PartitionFolders.of(table.partitioning().keys()));
          table.columns().forEach(column -> noColumns.remove(lower(column.name())));
        });
  }

  @Override
  public List<ColumnSpec> columns(List<Column> landed) {
    List<SchemaInference.Source> sources =
        footers.stream()
            .map(file -> new SchemaInference.Source(file, HivePath.parse(file.key())))
            .toList();
    SchemaInference.Inferred detected = SchemaInference.infer(sources, HiveTypes.DETECT, noColumns);
    SchemaInference.Inferred asText = SchemaInference.infer(sources, HiveTypes.VARCHAR, noColumns);
    List<ColumnSpec> columns = new ArrayList<>();
    for (int i = 0; i < detected.columns().size(); i++) {
      ColumnSpec column = detected.columns().get(i);
      // whatever a path says can be read as text as well
      boolean isText =
          landed.stream()
              .anyMatch(
                  each ->
                      lower(each.name()).equals(lower(column.name()))
                          && each.type() == Scalar.VARCHAR);
      columns.add(isText ? asText.columns().get(i) : column);
    }
    return List.copyOf(columns);
  }

  @Override
  public Side side(List<Column> landed, Path scratch) {
    return new Side(
        "the source",
        landed,
        footers.stream().filter(file -> file.rows() > 0).map(file -> part(file, landed)).toList(),
        DataFiles.of(folder, scratch, COPY_BYTES));
  }

  private Side.Part part(ParquetFile file, List<Column> landed) {
    HivePath hive = HivePath.parse(file.key());
    List<MappedField> mapped = new ArrayList<>();
    List<LeafStatistics> statistics = new ArrayList<>();
    Map<String, Optional<String>> values = new HashMap<>();
    Map<String, Optional<String>> partition = new HashMap<>();
    for (Column column : landed) {
      Optional<FileField> field = FooterStatistics.find(file.schema().fields(), column.name());
      Optional<HivePath.Entry> entry = hive.find(column.name());
      if (field.isPresent()) {
        mapped.add(mapped(field.get(), column));
        statistics.addAll(FooterStatistics.of(file, field.get(), column.spec()));
      } else if (entry.isPresent()) {
        if (entry.get().isNull(column.type())) {
          values.put(column.name(), Optional.empty());
          partition.put(column.name(), Optional.empty());
        } else {
          values.put(column.name(), Optional.of(entry.get().text()));
          entry
              .get()
              .spelled(column.type())
              .ifPresent(value -> partition.put(column.name(), Optional.of(value)));
        }
      }
    }
    return new Side.Part(
        new TableFile(
            folder.uri(file.key()),
            file.sizeBytes(),
            file.rows(),
            new FileMapping.ByName(mapped),
            values,
            List.of(),
            TableFile.DeletedRows.NONE),
        statistics,
        partition);
  }

  private static MappedField mapped(FileField field, Column column) {
    List<MappedField> children = new ArrayList<>();
    for (int i = 0; i < column.children().size(); i++) {
      Column child = column.children().get(i);
      Optional<FileField> found =
          column.type() == Nested.STRUCT
              ? FooterStatistics.find(field.children(), child.name())
              : field.children().stream().skip(i).findFirst();
      found.ifPresent(each -> children.add(mapped(each, child)));
    }
    if (column.type() == Nested.LIST) {
      children.replaceAll(MappedField::asListElement);
    }
    return new MappedField(field.name(), column.name(), Origin.FILE_COLUMN, children);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
