package dev.sluice.worker.bench;

import dev.sluice.activities.delta.DeltaFile;
import dev.sluice.activities.delta.DeltaSnapshot;
import dev.sluice.activities.delta.DeltaTable;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.landing.DeletedRows;
import dev.sluice.activities.landing.DeltaFiles;
import dev.sluice.activities.landing.DeltaLander;
import dev.sluice.activities.landing.DeltaMatch;
import dev.sluice.activities.landing.DeltaPlan;
import dev.sluice.activities.landing.DeltaRewriter;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.Inspector;
import dev.sluice.activities.landing.LandedFacts;
import dev.sluice.activities.landing.LandedNotes;
import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.parquet.DataProbe;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.query.FileRewriter;
import dev.sluice.activities.query.LocalDataFiles;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.temporal.Limits;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The copy path as its activities walk it, ledger, fence and publication record included, and
 * without Temporal. Not thread-safe.
 */
final class OurCopy {

  private final BenchStack stack;
  private final ObjectStore source;
  private final BenchLanding landing;
  private long version;

  /**
   * A copy of the Delta table that the source store is.
   *
   * @param table what it becomes
   */
  OurCopy(BenchStack stack, OurLake lake, ObjectStore source, String table) {
    this.stack = stack;
    this.source = source;
    this.landing = new BenchLanding(lake, WorkflowPath.COPY, table, "version");
  }

  /** The folder of the table. */
  ObjectStore source() {
    return source;
  }

  /** Reads the log, looks for the objects and writes the plan down. */
  void prepare() {
    DeltaSnapshot snapshot = DeltaTable.in(source).snapshot(OptionalLong.empty());
    DeltaFiles files = DeltaFiles.find(source, snapshot);
    version = snapshot.version();
    String plan = DeltaPlan.of(snapshot).text();
    landing.open(
        files.listed(landing.prefix, DeletedRows.KEEP),
        dsl -> LandingLedger.plan(dsl, landing.key, plan));
  }

  /** What is to be landed. */
  List<LedgerFile> files() {
    return landing.files();
  }

  void land(List<LedgerFile> files) throws InterruptedException {
    DeltaPlan plan = plan();
    DeltaLander lander =
        new DeltaLander(
            source,
            landing.lake,
            landing.prefix,
            plan,
            DeltaMatch.of(plan, Optional.empty(), landing.lake, DataProbe.NONE),
            new DeltaRewriter(
                landing.lake,
                new FileRewriter(new LocalDataFiles(stack.folder().resolve("links"))),
                plan),
            Limits.DEFAULT_COPIES);
    try (LandedNotes<LandingFiles.Planned> notes = new LandedNotes<>(this::noteLanded, () -> {})) {
      Parallel.run(
          files,
          Limits.DEFAULT_COPIES + ParquetFooters.DEFAULT_IN_FLIGHT,
          file -> lander.land(file, null),
          (file, planned) -> notes.add(planned));
      notes.finish();
    }
  }

  private void noteLanded(List<LandingFiles.Planned> files) {
    landing.noteLanded(dsl -> LandingFiles.landed(dsl, landing.key, files));
  }

  private DeltaPlan plan() {
    return DeltaPlan.parse(
        landing.state.read(dsl -> LandingLedger.findPlan(dsl, landing.key)).orElseThrow());
  }

  void inspect() throws InterruptedException {
    List<LedgerFile> files = files();
    Inspection inspection =
        new Inspector(landing.lake, DataProbe.NONE, ParquetFooters.DEFAULT_IN_FLIGHT)
            .inspect(
                files.stream().map(landing::landed).toList(),
                files.stream().map(OurCopy::facts).toList(),
                plan(),
                Optional.empty(),
                ParquetFooters.Progress.NONE);
    landing.inspected(inspection);
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
    long landed = landing.state.read(dsl -> LandingFiles.totals(dsl, landing.key)).rows();
    if (logged != landed) {
      throw BenchErrors.wrongCount("rows that landed", logged, landed);
    }
    landing.verified();
  }

  void publish() throws InterruptedException {
    landing.publish(ProducerOrder.deltaVersion(version));
  }
}
