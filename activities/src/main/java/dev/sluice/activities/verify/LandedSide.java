package dev.sluice.activities.verify;

import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.FileTable;
import dev.sluice.activities.query.TableFile;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What was landed, as its publication will register it. */
public final class LandedSide {

  private LandedSide() {}

  /**
   * The side of an inspection: its name maps, its partition values, its statistics.
   *
   * @param content what the publication takes
   * @param live the table as it is; empty before the first publication
   * @param access the lake's files, or fresh copies of them
   */
  public static Side of(Inspection content, Optional<Table> live, DataFiles access) {
    List<Column> columns =
        FileTable.numbered(content.columns(), live.map(Table::columns).orElse(List.of()));
    return new Side(
        "what was landed",
        columns,
        content.files().stream().map(LandedSide::part).toList(),
        access);
  }

  private static Side.Part part(NewDataFile file) {
    Map<String, Optional<String>> partition = new HashMap<>();
    for (PartitionValue value : file.partitionValues()) {
      if (value.key().transform() == PartitionTransform.Simple.IDENTITY) {
        partition.put(value.key().column(), Optional.ofNullable(value.value()));
      }
    }
    return new Side.Part(
        new TableFile(
            file.path(),
            file.fileSizeBytes(),
            file.recordCount(),
            file.mapping(),
            Map.of(),
            deletes(file.deletes()),
            TableFile.DeletedRows.NONE),
        file.statistics(),
        partition);
  }

  private static List<TableFile.DeleteFile> deletes(NewDataFile.@Nullable Deletes deletes) {
    return deletes == null
        ? List.of()
        : List.of(
            new TableFile.DeleteFile(deletes.path(), deletes.count(), deletes.fileSizeBytes()));
  }
}
