package dev.sluice.activities.landing;

import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.parquet.ColumnPlan;
import dev.sluice.activities.parquet.DataProbe;
import dev.sluice.activities.parquet.FileMatcher;
import dev.sluice.activities.parquet.HivePath;
import dev.sluice.activities.parquet.MatchOptions;
import dev.sluice.activities.parquet.MatchResult;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.parquet.PartitionFolders;
import dev.sluice.activities.parquet.SchemaInference;
import dev.sluice.activities.parquet.SchemaInference.HiveTypes;
import dev.sluice.activities.parquet.SchemaInference.Inferred;
import dev.sluice.activities.parquet.StoredFooters;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Reads the footers of landed files and works out what a publication of them would be: columns,
 * partition keys and one description per file. Reads only. Thread-safe.
 */
public final class Inspector {

  /** Matching takes some ten microseconds, less than handing over a file. */
  private static final int MATCHED_TOGETHER = 200;

  private final ObjectStore lake;
  private final DataProbe probe;
  private final int inFlight;

  /**
   * Inspects files of the lake's store.
   *
   * @param probe looks into data where a footer leaves a question open
   * @param inFlight most footers read at a time, at least 1
   */
  public Inspector(ObjectStore lake, DataProbe probe, int inFlight) {
    this.lake = lake;
    this.probe = probe;
    this.inFlight = inFlight;
  }

  /**
   * A file to inspect.
   *
   * @param objectKey key of its object in the lake's store
   * @param relativePath its path below the landing: folders of it may be partition values
   */
  public record Landed(String objectKey, String relativePath) {}

  /**
   * Inspects the files of one generation.
   *
   * @param files their objects, each with the part of its landed path that means something
   * @param live the table as it is; empty before the first publication
   * @param options how strictly the files must agree with each other
   * @throws dev.sluice.activities.parquet.ParquetRefusedException the first refusal, naming the
   *     file
   * @throws InterruptedException when the caller was interrupted
   */
  public Inspection inspect(
      List<Landed> files,
      Optional<Table> live,
      MatchOptions options,
      ParquetFooters.Progress progress)
      throws InterruptedException {
    List<ParquetFile> footers = footers(files, progress);
    List<SchemaInference.Source> sources = new ArrayList<>(footers.size());
    for (int i = 0; i < footers.size(); i++) {
      HivePath hive = HivePath.parse(files.get(i).relativePath());
      sources.add(new SchemaInference.Source(footers.get(i), hive));
    }
    if (live.isEmpty()) {
      Inferred inferred = SchemaInference.infer(sources, HiveTypes.DETECT);
      return match(sources, inferred.columns(), inferred.partitioning(), options);
    }
    List<PartitionKey> keys = live.get().partitioning().keys();
    Set<String> noColumns = new HashSet<>(PartitionFolders.of(keys));
    live.get().columns().forEach(column -> noColumns.remove(lower(column.name())));
    List<ColumnSpec> columns =
        ColumnPlan.keeping(
            live.get().columns(),
            SchemaInference.infer(sources, HiveTypes.DETECT, noColumns),
            SchemaInference.infer(sources, HiveTypes.VARCHAR, noColumns));
    return match(sources, columns, keys, options);
  }

  /**
   * Inspects the files of a version of a Delta table, whose columns are those of the version. A
   * footer that was read when its file landed is not read again.
   *
   * @param files their objects, in the order of {@code facts}
   * @param facts how each of them landed
   * @throws dev.sluice.activities.parquet.ParquetRefusedException the first refusal, naming the
   *     file
   * @throws InterruptedException when the caller was interrupted
   */
  public Inspection inspect(
      List<Landed> files,
      List<LandedFacts> facts,
      DeltaPlan plan,
      Optional<Table> live,
      ParquetFooters.Progress progress)
      throws InterruptedException {
    DeltaMatch match = DeltaMatch.of(plan, live, lake, probe);
    String basis = match.basis();
    List<Landed> unread = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (facts.get(i).footerFor(basis).isEmpty()) {
        unread.add(files.get(i));
      }
    }
    Iterator<ParquetFile> read = footers(unread, progress).iterator();
    List<NewDataFile> found = new ArrayList<>(files.size());
    long empty = 0;
    for (int i = 0; i < files.size(); i++) {
      Landed file = files.get(i);
      LandedFacts landed = facts.get(i);
      LandedFooter footer =
          landed
              .footerFor(basis)
              .orElseGet(
                  () ->
                      LandedFooter.of(
                          basis,
                          match.match(read.next(), file.objectKey(), file.relativePath(), landed)));
      Optional<NewDataFile> registered = footer.registered(lake.uri(file.objectKey()));
      LandedDeletes deletes = landed.deletes();
      if (registered.isEmpty()) {
        empty++;
      } else {
        found.add(
            deletes == null ? registered.get() : registered.get().with(deletes.registered(lake)));
      }
    }
    return new Inspection(plan.specs(), match.keys(), found, empty);
  }

  private List<ParquetFile> footers(List<Landed> files, ParquetFooters.Progress progress)
      throws InterruptedException {
    return new ParquetFooters(new StoredFooters(lake), inFlight)
        .readAll(files.stream().map(Landed::objectKey).toList(), progress);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private Inspection match(
      List<SchemaInference.Source> sources,
      List<ColumnSpec> columns,
      List<PartitionKey> keys,
      MatchOptions options)
      throws InterruptedException {
    FileMatcher matcher = FileMatcher.forColumns(columns, keys, options, probe);
    MatchResult[] results = new MatchResult[sources.size()];
    Parallel.run(
        IntStream.iterate(0, i -> i < results.length, i -> i + MATCHED_TOGETHER).boxed().toList(),
        Runtime.getRuntime().availableProcessors(),
        first -> {
          int end = Math.min(first + MATCHED_TOGETHER, results.length);
          for (int i = first; i < end; i++) {
            SchemaInference.Source source = sources.get(i);
            results[i] = matcher.match(source.file(), lake.uri(source.file().key()), source.hive());
          }
          return end;
        },
        (first, end) -> {});
    List<NewDataFile> files = new ArrayList<>(results.length);
    long empty = 0;
    for (MatchResult result : results) {
      switch (result) {
        case MatchResult.Register register -> files.add(register.file());
        case MatchResult.WithoutRows none -> empty++;
      }
    }
    return new Inspection(columns, keys, files, empty);
  }
}
