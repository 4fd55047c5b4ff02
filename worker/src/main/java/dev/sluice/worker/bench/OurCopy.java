package dev.sluice.worker.bench;

import dev.sluice.activities.delta.DeltaFile;
import dev.sluice.activities.delta.DeltaSnapshot;
import dev.sluice.activities.delta.DeltaTable;
import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.landing.DeletedRows;
import dev.sluice.activities.landing.DeltaFilePlan;
import dev.sluice.activities.landing.DeltaFiles;
import dev.sluice.activities.landing.DeltaLander;
import dev.sluice.activities.landing.DeltaMatch;
import dev.sluice.activities.landing.DeltaPlan;
import dev.sluice.activities.landing.DeltaRewriter;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.InspectionBasis;
import dev.sluice.activities.landing.InspectionLedger;
import dev.sluice.activities.landing.Inspector;
import dev.sluice.activities.landing.LandedFacts;
import dev.sluice.activities.landing.LandedNotes;
import dev.sluice.activities.landing.LandedObjects;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.landing.LedgerObjects;
import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.parquet.DataProbe;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.publish.Generation;
import dev.sluice.activities.publish.Publisher;
import dev.sluice.activities.query.FileRewriter;
import dev.sluice.activities.query.LocalDataFiles;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.temporal.Limits;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The copy path as its activities walk it, ledger, fence and publication record included, and
 * without Temporal. Not thread-safe.
 */
final class OurCopy {

  private final BenchStack stack;
  private final Catalog catalog;
  private final ObjectStore source;
  private final ObjectStore lake;
  private final StateDatabase state;
  private final Target target;
  private final String prefix;
  private final LandingLedger.Key key;
  private final AttemptKey attempt;
  private long version;

  /**
   * A copy of the Delta table that the source store is.
   *
   * @param table what it becomes
   */
  OurCopy(
      BenchStack stack,
      Catalog catalog,
      ObjectStore source,
      ObjectStore lake,
      StateDatabase state,
      String table) {
    this.stack = stack;
    this.catalog = catalog;
    this.source = source;
    this.lake = lake;
    this.state = state;
    this.target = new Target(catalog.info().key(), "bench", table);
    this.prefix = "bench/%s/_imports/benchmark/job/version/".formatted(table);
    this.key = new LandingLedger.Key(catalog.info().key(), prefix);
    this.attempt =
        new AttemptKey(WorkflowPath.COPY, new SourceRef(1, table), new AttemptRef("benchmark", 1));
  }

  /** Reads the log, looks for the objects and writes the plan down. */
  void prepare() {
    DeltaSnapshot snapshot = DeltaTable.in(source).snapshot(OptionalLong.empty());
    DeltaFiles files = DeltaFiles.find(source, snapshot);
    version = snapshot.version();
    List<String> keys = files.landedKeys(prefix);
    List<LedgerFile> listed = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      DeltaFiles.Found found = files.files().get(i);
      listed.add(
          LedgerFile.listed(
                  found.object().key(),
                  found.object().sizeBytes(),
                  LedgerObjects.checksum(found.object().etag()),
                  found.object().lastModified(),
                  keys.get(i))
              .planned(DeltaFilePlan.of(found.file(), DeletedRows.KEEP).text()));
    }
    state.write(
        dsl -> {
          Fences.claim(dsl, target, attempt.attempt(), 1);
          LandingLedger.open(dsl, key, attempt.source(), "version", target);
          LandingLedger.plan(dsl, key, DeltaPlan.of(snapshot).text());
          LandingFiles.list(dsl, key, listed);
          return key;
        });
  }

  /** What is to be landed. */
  List<LedgerFile> files() {
    return state.read(dsl -> LandingFiles.files(dsl, key));
  }

  void land(List<LedgerFile> files) throws InterruptedException {
    DeltaPlan plan = plan();
    DeltaLander lander =
        new DeltaLander(
            source,
            lake,
            prefix,
            plan,
            DeltaMatch.of(plan, Optional.empty(), lake, DataProbe.NONE),
            new DeltaRewriter(
                lake, new FileRewriter(new LocalDataFiles(stack.folder().resolve("links"))), plan));
    Map<String, LandingFiles.Planned> landed = new ConcurrentHashMap<>();
    try (LandedNotes notes =
        new LandedNotes(
            sourceKeys -> noteLanded(sourceKeys.stream().map(landed::get).toList()), () -> {})) {
      Parallel.run(
          files,
          Limits.DEFAULT_COPIES,
          file -> lander.land(file, null),
          (file, landing) -> {
            landed.put(
                file.sourceKey(),
                new LandingFiles.Planned(file.sourceKey(), landing.reusedKey(), landing.landed()));
            notes.add(file.sourceKey());
          });
      notes.finish();
    }
  }

  /** With a look at the fence, as the landing activity does it. */
  private void noteLanded(List<LandingFiles.Planned> files) {
    state.write(
        dsl -> {
          Fences.requireHeld(dsl, target, attempt.attempt());
          LandingFiles.landed(dsl, key, files);
          return files.size();
        });
  }

  private DeltaPlan plan() {
    return DeltaPlan.parse(state.read(dsl -> LandingLedger.findPlan(dsl, key)).orElseThrow());
  }

  void inspect() throws InterruptedException {
    List<LedgerFile> files = files();
    Inspection inspection =
        new Inspector(lake, DataProbe.NONE, ParquetFooters.DEFAULT_IN_FLIGHT)
            .inspect(
                files.stream()
                    .map(
                        file ->
                            new Inspector.Landed(
                                file.objectKey(), file.landedPath().substring(prefix.length())))
                    .toList(),
                files.stream().map(OurCopy::facts).toList(),
                plan(),
                Optional.empty(),
                ParquetFooters.Progress.NONE);
    state.write(
        dsl -> {
          InspectionLedger.write(dsl, key, lake, inspection, InspectionBasis.NONE);
          LandingLedger.advance(dsl, key, LandingLedger.LandingState.INSPECTED);
          return key;
        });
  }

  private static LandedFacts facts(LedgerFile file) {
    LedgerFile.Landed landed = Objects.requireNonNull(file.landed(), "it has landed");
    LandedFacts facts = LandedFacts.parse(landed.facts());
    if (facts.rewritten() != null) {
      throw new IllegalStateException(
          "benchmark: a file was written anew instead of copied; " + facts.rewritten());
    }
    return facts;
  }

  /** Compares the log, read again, with what has landed. */
  void verify() {
    long logged = 0;
    try (Stream<DeltaFile> files =
        DeltaTable.in(source).snapshot(OptionalLong.of(version)).files()) {
      logged =
          files
              .mapToLong(file -> Objects.requireNonNull(file.liveRecords(), "it has statistics"))
              .sum();
    }
    long landed = state.read(dsl -> LandingFiles.totals(dsl, key)).rows();
    if (logged != landed) {
      throw BenchErrors.wrongCount("rows that landed", logged, landed);
    }
    state.write(
        dsl -> {
          LandingLedger.advance(dsl, key, LandingLedger.LandingState.VERIFIED);
          return key;
        });
  }

  void publish() {
    LandedObjects.list(lake, prefix, () -> {})
        .requireAll(files().stream().map(OurCopy::object).toList());
    new Publisher(catalog)
        .publish(
            new Generation(
                target,
                attempt,
                "job",
                "version",
                ProducerOrder.deltaVersion(version),
                key,
                InspectionLedger.read(state, key, lake),
                SchemaPolicy.SYNC,
                ForeignContent.REFUSE,
                null));
  }

  /** What a bare copy copies: the same objects to the same relative paths. */
  static LandingFile object(LedgerFile file) {
    return new LandingFile(
        file.sourceKey(), file.landedPath(), file.sizeBytes(), null, file.modifiedAt());
  }
}
