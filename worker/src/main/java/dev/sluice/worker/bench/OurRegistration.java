package dev.sluice.worker.bench;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.CheckResults;
import dev.sluice.activities.jobs.ErrorText;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.landing.GenerationFiles;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.InspectionBasis;
import dev.sluice.activities.landing.InspectionLedger;
import dev.sluice.activities.landing.Inspector;
import dev.sluice.activities.landing.LandedNotes;
import dev.sluice.activities.landing.LandedObjects;
import dev.sluice.activities.landing.Lander;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.parquet.DataProbe;
import dev.sluice.activities.parquet.MatchOptions;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.publish.Generation;
import dev.sluice.activities.publish.Publisher;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.temporal.Limits;
import dev.sluice.activities.verify.CheckPlan;
import dev.sluice.activities.verify.CountChecks;
import dev.sluice.activities.verify.Failed;
import dev.sluice.activities.verify.SourceCounts;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.List;

/**
 * The register path as its activities walk it, ledger, fence and publication record included, and
 * without Temporal. Not thread-safe.
 */
final class OurRegistration {

  private static final String SCHEMA = "bench";

  private final Catalog catalog;
  private final ObjectStore source;
  private final ObjectStore lake;
  private final StateDatabase state;
  private final Target target;
  private final String prefix;
  private final int mostFiles;
  private final LandingLedger.Key key;
  private final AttemptKey attempt;
  private final Stopwatch transaction = new Stopwatch();

  /**
   * A registration into a table of its own.
   *
   * @param mostFiles how many of the source's files it registers at most
   */
  OurRegistration(
      Catalog catalog,
      ObjectStore source,
      ObjectStore lake,
      StateDatabase state,
      String table,
      int mostFiles) {
    this.catalog = catalog;
    this.source = source;
    this.lake = lake;
    this.state = state;
    this.target = new Target(catalog.info().key(), SCHEMA, table);
    this.prefix = "%s/%s/_imports/benchmark/job/generation/".formatted(SCHEMA, table);
    this.mostFiles = mostFiles;
    this.key = new LandingLedger.Key(catalog.info().key(), prefix);
    this.attempt =
        new AttemptKey(
            WorkflowPath.REGISTER, new SourceRef(1, table), new AttemptRef("benchmark", 1));
  }

  /** Lists the source, opens the ledger and takes the fence. */
  List<LandingFile> prepare() {
    List<LandingFile> files =
        GenerationFiles.list(source, prefix).files().stream().limit(mostFiles).toList();
    List<LedgerFile> listed =
        files.stream()
            .map(
                file ->
                    LedgerFile.listed(
                        file.sourceKey(),
                        file.sizeBytes(),
                        null,
                        file.modifiedAt(),
                        file.landedKey()))
            .toList();
    return state.write(
        dsl -> {
          Fences.claim(dsl, target, attempt.attempt(), 1);
          LandingLedger.open(dsl, key, attempt.source(), "generation", target);
          LandingFiles.list(dsl, key, listed);
          return files;
        });
  }

  /** Where its files land. */
  String prefix() {
    return prefix;
  }

  void land(List<LandingFile> files) throws InterruptedException {
    try (LandedNotes notes = new LandedNotes(this::noteLanded, () -> {})) {
      new Lander(source, lake, Limits.DEFAULT_COPIES)
          .land(
              files,
              new Lander.Progress() {
                @Override
                public void landed(LandingFile file, ObjectInfo object) {
                  notes.add(file.sourceKey());
                }

                @Override
                public void waiting() {
                  // nobody waits for a sign of life
                }
              });
      notes.finish();
    }
  }

  /** With a look at the fence, as the landing activity does it. */
  private void noteLanded(List<String> sourceKeys) {
    state.write(
        dsl -> {
          Fences.requireHeld(dsl, target, attempt.attempt());
          LandingFiles.landed(dsl, key, sourceKeys);
          return sourceKeys.size();
        });
  }

  void inspect() throws InterruptedException {
    List<Inspector.Landed> landed =
        state.read(dsl -> LandingFiles.files(dsl, key)).stream()
            .map(
                file ->
                    new Inspector.Landed(
                        file.objectKey(), file.landedPath().substring(prefix.length())))
            .toList();
    Inspection inspection =
        new Inspector(lake, DataProbe.NONE, ParquetFooters.DEFAULT_IN_FLIGHT)
            .inspect(
                landed,
                catalog
                    .reader()
                    .view(catalog.reader().latest())
                    .findTable(new TableName(target.schema(), target.table())),
                MatchOptions.STRICT,
                ParquetFooters.Progress.NONE);
    state.write(
        dsl -> {
          InspectionLedger.write(dsl, key, lake, inspection, InspectionBasis.NONE);
          LandingLedger.advance(dsl, key, LandingLedger.LandingState.INSPECTED);
          return key;
        });
  }

  void verify() throws InterruptedException {
    List<LedgerFile> files = state.read(dsl -> LandingFiles.files(dsl, key));
    SourceCounts counted =
        SourceCounts.read(
            source,
            files.stream().map(LedgerFile::sourceKey).toList(),
            ParquetFooters.DEFAULT_IN_FLIGHT,
            ParquetFooters.Progress.NONE);
    LandingFiles.Totals totals = state.read(dsl -> LandingFiles.totals(dsl, key));
    SourceCounts landed = new SourceCounts(totals.inspected(), totals.rows(), totals.landedBytes());
    List<CheckResult> results = CountChecks.compare(CheckPlan.DEFAULT, counted, landed);
    new CheckResults(state, ErrorText.withoutKnownSecrets()).store(attempt, results);
    String failed = Failed.inWords(results);
    if (!failed.isEmpty()) {
      throw new IllegalStateException("benchmark: verification failed; " + failed);
    }
    advance(LandingLedger.LandingState.VERIFIED);
  }

  void publish() {
    List<LandingFile> files =
        state.read(dsl -> LandingFiles.files(dsl, key)).stream()
            .map(
                file ->
                    new LandingFile(
                        file.sourceKey(),
                        file.landedPath(),
                        file.sizeBytes(),
                        null,
                        file.modifiedAt()))
            .toList();
    LandedObjects.list(lake, prefix, () -> {}).requireAll(files);
    Generation generation =
        new Generation(
            target,
            attempt,
            "job",
            "generation",
            ProducerOrder.deltaVersion(1),
            key,
            InspectionLedger.read(state, key, lake),
            SchemaPolicy.SYNC,
            ForeignContent.REFUSE,
            null);
    Publisher publisher = new Publisher(catalog);
    transaction.time(() -> publisher.publish(generation));
  }

  /** Seconds of the publishing transaction alone, retries included. */
  double transactionSeconds() {
    return transaction.seconds();
  }

  private void advance(LandingLedger.LandingState reached) {
    state.write(
        dsl -> {
          LandingLedger.advance(dsl, key, reached);
          return key;
        });
  }
}
