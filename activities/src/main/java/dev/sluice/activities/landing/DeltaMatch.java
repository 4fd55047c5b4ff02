package dev.sluice.activities.landing;

import dev.sluice.activities.parquet.DataProbe;
import dev.sluice.activities.parquet.FileMatcher;
import dev.sluice.activities.parquet.HivePath;
import dev.sluice.activities.parquet.MatchOptions;
import dev.sluice.activities.parquet.MatchOptions.ExtraColumns;
import dev.sluice.activities.parquet.MatchOptions.MissingColumns;
import dev.sluice.activities.parquet.MatchResult;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.ParquetRefusedException;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.Table;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a file of a version can be read right as it lies in the lake. Files of one table
 * may lack columns that were added later and have columns that were dropped. Thread-safe.
 */
public final class DeltaMatch {

  private static final MatchOptions OPTIONS =
      new MatchOptions(
          MissingColumns.READ_AS_DEFAULT,
          ExtraColumns.IGNORE,
          MatchOptions.PartitionValues.WHEN_KNOWN);

  private final FileMatcher copied;
  private final FileMatcher rewritten;
  private final List<PartitionKey> keys;
  private final ObjectStore lake;
  private final String basis;

  private DeltaMatch(DeltaPlan plan, List<PartitionKey> keys, ObjectStore lake, DataProbe probe) {
    this.copied = FileMatcher.forSource(plan.sourceColumns(), keys, OPTIONS, probe);
    this.rewritten = FileMatcher.forColumns(plan.specs(), keys, OPTIONS, probe);
    this.keys = List.copyOf(keys);
    this.lake = lake;
    this.basis = InspectionBasis.of(plan, keys);
  }

  /**
   * Matches files of a version.
   *
   * @param live the table as it is, whose partitioning stays; empty before the first publication
   */
  public static DeltaMatch of(
      DeltaPlan plan, Optional<Table> live, ObjectStore lake, DataProbe probe) {
    return new DeltaMatch(plan, keys(plan, live), lake, probe);
  }

  /** A key of a column that the version lacks would go with it. */
  private static List<PartitionKey> keys(DeltaPlan plan, Optional<Table> live) {
    if (live.isEmpty()) {
      return plan.keys();
    }
    Set<String> names = new HashSet<>();
    plan.columns().forEach(column -> names.add(column.name().toLowerCase(Locale.ROOT)));
    List<PartitionKey> keys = live.get().partitioning().keys();
    return keys.stream().allMatch(key -> names.contains(key.column().toLowerCase(Locale.ROOT)))
        ? keys
        : List.of();
  }

  List<PartitionKey> keys() {
    return keys;
  }

  /** Two matches with the same basis say the same of the same footer. */
  String basis() {
    return basis;
  }

  /**
   * Describes a file for the catalog.
   *
   * @param file its footer
   * @param objectKey key of its object in the lake
   * @param relativePath the part of the path whose folders are partition values
   * @param facts how it landed
   * @throws ParquetRefusedException when it cannot be read right
   */
  MatchResult match(ParquetFile file, String objectKey, String relativePath, LandedFacts facts) {
    FileMatcher matcher = facts.rewritten() == null ? copied : rewritten;
    return matcher.match(file, lake.uri(objectKey), HivePath.parse(relativePath));
  }
}
