package dev.sluice.activities.verify;

import dev.sluice.activities.parquet.HivePath;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.PartitionFolders;
import dev.sluice.activities.parquet.SchemaInference;
import dev.sluice.activities.parquet.SchemaInference.HiveTypes;
import dev.sluice.activities.parquet.SourceColumn;
import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.TableFile;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
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
    PartBuilder part = new PartBuilder(file);
    for (Column column : landed) {
      if (!part.addFromFile(SourceColumn.named(column))) {
        hive.find(column.name()).ifPresent(entry -> add(part, column, entry));
      }
    }
    return part.part(folder.uri(file.key()), TableFile.DeletedRows.NONE);
  }

  private static void add(PartBuilder part, Column column, HivePath.Entry entry) {
    if (entry.isNull(column.type())) {
      part.addNull(column.name());
    } else {
      part.addValue(column.name(), entry.text(), entry.spelled(column.type()));
    }
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
