package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.MatchOptions.MissingColumns;
import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a Parquet file can be registered into a table as it lies there, and describes it
 * for the catalog: which column is found where, bounds and counts in the table's types, and the
 * values of the table's partition keys.
 *
 * <p>Foreign files are always mapped by name: field ids in them mean nothing to the table. A value
 * from the path is used where the file lacks the column; where the file has it too, the two must be
 * the same, so that every way of reading gives one answer. Thread-safe if the probe is.
 */
public final class FileMatcher {

  private final List<TargetColumn> columns;
  private final List<PartitionKey> keys;
  private final Set<Long> liveIds;
  private final MatchOptions options;
  private final DataProbe probe;

  private FileMatcher(
      List<TargetColumn> columns, List<PartitionKey> keys, MatchOptions options, DataProbe probe) {
    this.columns = List.copyOf(columns);
    this.keys = List.copyOf(keys);
    this.liveIds = columns.stream().flatMap(TargetColumn::ids).collect(Collectors.toSet());
    this.options = options;
    this.probe = probe;
  }

  /** Matches files with a table as it is. */
  public static FileMatcher forTable(Table table, MatchOptions options, DataProbe probe) {
    return new FileMatcher(
        table.columns().stream().map(TargetColumn::of).toList(),
        table.partitioning().keys(),
        options,
        probe);
  }

  /** Matches files with a table that is to be made, or with columns to be published. */
  public static FileMatcher forColumns(
      List<ColumnSpec> columns,
      List<PartitionKey> partitioning,
      MatchOptions options,
      DataProbe probe) {
    return new FileMatcher(
        columns.stream().map(TargetColumn::of).toList(), partitioning, options, probe);
  }

  /** Matches files with columns to be published that the files call otherwise. */
  public static FileMatcher forSource(
      List<SourceColumn> columns,
      List<PartitionKey> partitioning,
      MatchOptions options,
      DataProbe probe) {
    return new FileMatcher(
        columns.stream().map(TargetColumn::of).toList(), partitioning, options, probe);
  }

  /**
   * Matches one file.
   *
   * @param file its footer
   * @param path full path under which it would be registered
   * @param hive the values that its path stands for, of the part of the path that the producer
   *     chose
   * @throws ParquetRefusedException if it does not fit
   */
  public MatchResult match(ParquetFile file, String path, HivePath hive) {
    ColumnMatcher matcher = new ColumnMatcher(file, options, liveIds);
    Map<String, FileField> fields = matcher.byName(file.schema().fields());
    PartitionMatcher partitions = new PartitionMatcher(file, path, hive, probe, options);
    List<MappedField> mapped = new ArrayList<>();
    List<LeafStatistics> fromPath = new ArrayList<>();
    for (TargetColumn column : columns) {
      FileField field = ColumnMatcher.take(fields, column);
      HivePath.Entry entry = hive.find(column.name()).orElse(null);
      if (field != null) {
        mapped.add(matcher.match(field, column, List.of(column.name())));
        checkNulls(file, path, field, column);
        partitions.fromFile(column, field, entry);
      } else if (entry != null) {
        String value = pathValue(file, path, column, entry);
        mapped.add(new MappedField(entry.key(), column.name(), Origin.PATH, List.of()));
        fromPath.add(constant(column, value, file.rows()));
        partitions.fromPath(column, value);
      } else {
        checkMissing(file, column);
        partitions.fromDefault(column);
      }
    }
    fields.values().forEach(extra -> matcher.refuseExtra(extra.name()));
    if (mapped.isEmpty()) {
      throw ParquetErrors.nothingInCommon(file.key());
    }
    List<NewDataFile.PartitionValue> values = partitions.values(keys);
    if (file.rows() == 0) {
      return new MatchResult.WithoutRows(path);
    }
    fromPath.addAll(matcher.statistics());
    return new MatchResult.Register(
        new NewDataFile(
            path,
            file.rows(),
            file.sizeBytes(),
            file.footerBytes(),
            new FileMapping.ByName(mapped),
            values,
            fromPath));
  }

  private void checkMissing(ParquetFile file, TargetColumn column) {
    if (options.missingColumns() == MissingColumns.REFUSE) {
      throw ParquetErrors.missingColumn(file.key(), column.name());
    }
    if (column.nulls() == Nulls.FORBIDDEN && column.initialDefault() == null && file.rows() > 0) {
      throw ParquetErrors.missingNotNull(file.key(), column.name());
    }
  }

  private @Nullable String pathValue(
      ParquetFile file, String path, TargetColumn column, HivePath.Entry entry) {
    HivePath.Entry asDuckDb =
        HivePath.parse(path).entries().stream()
            .filter(other -> other.key().equals(entry.key()))
            .findFirst()
            .orElse(null);
    if (asDuckDb == null || !asDuckDb.text().equals(entry.text())) {
      throw ParquetErrors.pathReadsOtherwise(file.key(), column.name(), entry, path);
    }
    if (entry.isNull(column.type())) {
      if (column.nulls() == Nulls.FORBIDDEN) {
        throw ParquetErrors.nullInPath(file.key(), column.name(), entry.text());
      }
      return null;
    }
    String value = PathValue.cast(entry.text(), column.type());
    if (value == null) {
      throw ParquetErrors.pathValueNotCastable(
          file.key(), column.name(), entry.text(), column.typeText());
    }
    return value;
  }

  private static LeafStatistics constant(TargetColumn column, @Nullable String value, long rows) {
    boolean floating = column.type() == Scalar.FLOAT32 || column.type() == Scalar.FLOAT64;
    boolean nan = value != null && BoundText.isNan(column.type(), value);
    boolean bounded = value != null && !nan && BoundText.isOrdered(column.type());
    return new LeafStatistics(
        List.of(column.name()),
        0,
        value == null ? 0 : rows,
        value == null ? rows : 0,
        bounded ? value : null,
        bounded ? value : null,
        floating ? nan : null,
        null);
  }

  private void checkNulls(ParquetFile file, String path, FileField field, TargetColumn column) {
    if (column.nulls() == Nulls.ALLOWED || file.rows() == 0) {
      return;
    }
    OptionalLong nulls = nulls(file, field);
    if (nulls.isEmpty()) {
      nulls = probe.nulls(file, path, field.name());
    }
    if (nulls.isEmpty()) {
      throw ParquetErrors.nullsUnknown(file.key(), column.name());
    }
    if (nulls.getAsLong() > 0) {
      throw ParquetErrors.nullsFound(file.key(), column.name(), nulls.getAsLong());
    }
  }

  /** The NULLs of a top-level column as far as the footer tells. */
  private static OptionalLong nulls(ParquetFile file, FileField field) {
    if (field.presence() == FileField.Presence.REQUIRED) {
      return OptionalLong.of(0);
    }
    if (field.isLeaf()) {
      Long known = file.facts(field).nulls();
      return known == null ? OptionalLong.empty() : OptionalLong.of(known);
    }
    // a NULL struct, list or map leaves a NULL in every leaf below it
    return hasLeafWithoutNulls(file, field) ? OptionalLong.of(0) : OptionalLong.empty();
  }

  private static boolean hasLeafWithoutNulls(ParquetFile file, FileField field) {
    if (field.isLeaf()) {
      Long known = file.facts(field).nulls();
      return known != null && known == 0;
    }
    return field.children().stream().anyMatch(child -> hasLeafWithoutNulls(file, child));
  }
}
