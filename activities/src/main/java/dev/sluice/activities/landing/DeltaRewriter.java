package dev.sluice.activities.landing;

import dev.sluice.activities.delta.ColumnMapping;
import dev.sluice.activities.delta.DeltaColumn;
import dev.sluice.activities.delta.DeltaDeletes;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.parquet.FileField;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.write.ParquetTableWriter;
import dev.sluice.activities.parquet.write.ParquetWriteOptions;
import dev.sluice.activities.query.FileRewriter;
import dev.sluice.activities.query.FileRewriter.Original;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.read.NameMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * Writes files of a version of a Delta table anew: under logical names, in the version's types,
 * without rows that are deleted. Partition columns stay in the path, as for copied files.
 * Thread-safe.
 */
public final class DeltaRewriter {

  private final ObjectStore lake;
  private final FileRewriter files;
  private final DeltaPlan plan;

  /** Rewrites into the lake's store. */
  public DeltaRewriter(ObjectStore lake, FileRewriter files, DeltaPlan plan) {
    this.lake = lake;
    this.files = files;
    this.plan = plan;
  }

  /**
   * A file that was written anew.
   *
   * @param key of its object
   * @param bytes size of that
   */
  record Rewritten(String key, long bytes) {}

  /** Writes a file anew, each time to a key of its own. */
  Rewritten rewrite(
      ObjectStore table,
      LedgerFile file,
      DeltaFilePlan filePlan,
      ParquetFile footer,
      String landingId) {
    // read where the lake's files are read; gone again when it has been
    String writing = UUID.randomUUID().toString().replace("-", "");
    String original = DeltaFiles.originalKey(landingId, file.sourceKey(), writing);
    String key = DeltaFiles.rewrittenKey(file.landedPath(), writing);
    ObjectInfo copy =
        lake.copyFrom(table, LedgerObjects.source(file), original, TransferMonitor.NONE);
    List<Column> columns = columns(footer, filePlan);
    try (ParquetTableWriter writer =
        ParquetTableWriter.open(lake, key, columns, ParquetWriteOptions.defaults())) {
      files.copy(
          new Original(
              lake.uri(original),
              footer.rows(),
              copy.sizeBytes(),
              columns,
              plan.mapping() == ColumnMapping.ID ? null : nameMap(columns, plan.columns()),
              deleted(table, filePlan)),
          writer,
          () -> {});
      return new Rewritten(key, writer.finish().fileSizeBytes());
    } finally {
      lake.delete(List.of(original));
    }
  }

  private static List<Long> deleted(ObjectStore table, DeltaFilePlan filePlan) {
    return filePlan.deletes() == null
        ? List.of()
        : DeltaDeletes.read(table, filePlan.deletes()).positions().boxed().toList();
  }

  /** Columns that the file has: others read as NULL, and partition values come from the path. */
  private List<Column> columns(ParquetFile footer, DeltaFilePlan filePlan) {
    Set<String> names = new HashSet<>();
    Set<Integer> ids = new HashSet<>();
    for (FileField field : footer.schema().fields()) {
      names.add(field.name().toLowerCase(Locale.ROOT));
      if (field.fieldId() != null) {
        ids.add(field.fieldId());
      }
    }
    Ids numbers = new Ids();
    List<Column> columns = new ArrayList<>();
    for (DeltaColumn column : plan.columns()) {
      boolean there =
          plan.mapping() == ColumnMapping.ID
              ? column.fieldId() != null && ids.contains(column.fieldId())
              : names.contains(column.physicalName().toLowerCase(Locale.ROOT));
      Column numbered = numbers.column(column, plan.mapping());
      if (there && !filePlan.partitionValues().containsKey(column.name())) {
        columns.add(numbered);
      }
    }
    return columns;
  }

  /** Numbers columns: with their field ids where files are read by those. */
  private static final class Ids {
    private long next = 1;

    Column column(DeltaColumn column, ColumnMapping mapping) {
      Integer fieldId = column.fieldId();
      long own = next++;
      return new Column(
          mapping == ColumnMapping.ID && fieldId != null ? fieldId : own,
          column.name(),
          column.type(),
          Nulls.ALLOWED,
          null,
          null,
          null,
          null,
          column.children().stream().map(child -> column(child, mapping)).toList());
    }
  }

  private static NameMap nameMap(List<Column> columns, List<DeltaColumn> source) {
    List<NameMap.Entry> entries = new ArrayList<>();
    for (Column column : columns) {
      source.stream()
          .filter(each -> each.name().equals(column.name()))
          .findFirst()
          .ifPresent(each -> entries.add(entry(column, each)));
    }
    return new NameMap(0, entries);
  }

  private static NameMap.Entry entry(Column column, DeltaColumn source) {
    List<NameMap.Entry> children = new ArrayList<>();
    for (int i = 0; i < column.children().size(); i++) {
      children.add(entry(column.children().get(i), source.children().get(i)));
    }
    return new NameMap.Entry(source.physicalName(), column.id(), Origin.FILE_COLUMN, children);
  }
}
