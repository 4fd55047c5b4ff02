package dev.sluice.worker.bench;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.CheckResults;
import dev.sluice.activities.jobs.ErrorText;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingFiles.Copied;
import dev.sluice.activities.landing.GenerationFiles;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.Inspector;
import dev.sluice.activities.landing.LandedNotes;
import dev.sluice.activities.landing.Lander;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.parquet.DataProbe;
import dev.sluice.activities.parquet.MatchOptions;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.temporal.Limits;
import dev.sluice.activities.verify.CheckPlan;
import dev.sluice.activities.verify.CountChecks;
import dev.sluice.activities.verify.Failed;
import dev.sluice.activities.verify.SourceCounts;
import dev.sluice.activities.verify.SourceFiles;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.List;

/**
 * The register path as its activities walk it, ledger, fence and publication record included, and
 * without Temporal. Not thread-safe.
 */
final class OurRegistration {

  private final ObjectStore source;
  private final BenchLanding landing;

  /** A registration into a table of its own. */
  OurRegistration(OurLake lake, ObjectStore source, String table) {
    this.source = source;
    this.landing = new BenchLanding(lake, WorkflowPath.REGISTER, table, "generation");
  }

  /** Lists the source, opens the ledger and takes the fence. */
  List<LandingFile> prepare() {
    List<LandingFile> files = GenerationFiles.list(source, landing.prefix).files();
    landing.open(files.stream().map(LandingFile::listed).toList(), dsl -> {});
    return files;
  }

  /** Where its files land. */
  String prefix() {
    return landing.prefix;
  }

  void land(List<LandingFile> files) throws InterruptedException {
    try (LandedNotes<Copied> notes = new LandedNotes<>(this::noteLanded, () -> {})) {
      new Lander(source, landing.lake, Limits.DEFAULT_COPIES)
          .land(
              files,
              new Lander.Progress() {
                @Override
                public void landed(LandingFile file, Copied copied) {
                  notes.add(copied);
                }

                @Override
                public void waiting() {
                  // nobody waits for a sign of life
                }
              });
      notes.finish();
    }
  }

  private void noteLanded(List<Copied> files) {
    landing.noteLanded(dsl -> LandingFiles.copied(dsl, landing.key, files));
  }

  void inspect() throws InterruptedException {
    CatalogReader reader = landing.catalog.reader();
    Inspection inspection =
        new Inspector(landing.lake, DataProbe.NONE, ParquetFooters.DEFAULT_IN_FLIGHT)
            .inspect(
                landing.files().stream().map(landing::landed).toList(),
                reader
                    .view(reader.latest())
                    .findTable(new TableName(landing.target.schema(), landing.target.table())),
                MatchOptions.STRICT,
                ParquetFooters.Progress.NONE);
    landing.inspected(inspection);
  }

  void verify() throws InterruptedException {
    SourceCounts counted =
        new SourceFiles(
                source,
                landing.prefix,
                landing.state.read(dsl -> LandingFiles.counted(dsl, landing.key)),
                ParquetFooters.DEFAULT_IN_FLIGHT)
            .counts(ParquetFooters.Progress.NONE);
    LandingFiles.Totals totals = landing.state.read(dsl -> LandingFiles.totals(dsl, landing.key));
    SourceCounts landed = new SourceCounts(totals.inspected(), totals.rows(), totals.landedBytes());
    List<CheckResult> results = CountChecks.compare(CheckPlan.DEFAULT, counted, landed);
    new CheckResults(landing.state, ErrorText.withoutKnownSecrets())
        .store(landing.attempt, results);
    String failed = Failed.inWords(results);
    if (!failed.isEmpty()) {
      throw new IllegalStateException("benchmark: verification failed; " + failed);
    }
    landing.verified();
  }

  void publish() throws InterruptedException {
    landing.publish(ProducerOrder.deltaVersion(1));
  }

  /** Seconds of the publishing transaction alone, retries included. */
  double transactionSeconds() {
    return landing.transactionSeconds();
  }
}
