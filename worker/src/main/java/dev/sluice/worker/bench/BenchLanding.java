package dev.sluice.worker.bench;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.InspectionBasis;
import dev.sluice.activities.landing.InspectionLedger;
import dev.sluice.activities.landing.Inspector;
import dev.sluice.activities.landing.LandingContents;
import dev.sluice.activities.publish.Generation;
import dev.sluice.activities.publish.Publisher;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.List;
import java.util.function.Consumer;
import org.jooq.DSLContext;

/**
 * What a path's ledger, fence and publication record cost, as its activities pay it: one generation
 * of one table. Not thread-safe.
 */
final class BenchLanding {

  private static final String SCHEMA = "bench";

  final Catalog catalog;
  final ObjectStore lake;
  final StateDatabase state;
  final Target target;
  final AttemptKey attempt;
  final LandingLedger.Key key;
  final String prefix;
  private final String generation;
  private final Stopwatch transaction = new Stopwatch();

  /**
   * A landing in a table of its own.
   *
   * @param generation the generation's token
   */
  BenchLanding(OurLake ours, WorkflowPath path, String table, String generation) {
    this.catalog = ours.catalog();
    this.lake = ours.store();
    this.state = ours.state();
    this.target = new Target(catalog.info().key(), SCHEMA, table);
    this.attempt = new AttemptKey(path, new SourceRef(1, table), new AttemptRef("benchmark", 1));
    this.generation = generation;
    this.prefix = "%s/%s/_imports/benchmark/job/%s/".formatted(SCHEMA, table, generation);
    this.key = new LandingLedger.Key(catalog.info().key(), prefix);
  }

  /**
   * Takes the fence and opens the ledger.
   *
   * @param more is written into the opened ledger before its files
   */
  void open(List<LedgerFile> files, Consumer<DSLContext> more) {
    write(
        dsl -> {
          Fences.claim(dsl, target, attempt.attempt(), 1);
          LandingLedger.open(dsl, key, attempt.source(), generation, target);
          more.accept(dsl);
          LandingFiles.list(dsl, key, files);
        });
  }

  /** The ledger's files. */
  List<LedgerFile> files() {
    return state.read(dsl -> LandingFiles.files(dsl, key));
  }

  /** The same as the inspection takes it. */
  Inspector.Landed landed(LedgerFile file) {
    return new Inspector.Landed(file.objectKey(), file.landedPath().substring(prefix.length()));
  }

  /** Notes files that landed, with a look at the fence, as the landing activities do it. */
  void noteLanded(Consumer<DSLContext> note) {
    write(
        dsl -> {
          Fences.requireHeld(dsl, target, attempt.attempt());
          note.accept(dsl);
        });
  }

  void inspected(Inspection inspection) {
    write(
        dsl -> {
          InspectionLedger.write(dsl, key, lake, inspection, InspectionBasis.NONE);
          LandingLedger.advance(dsl, key, LandingLedger.LandingState.INSPECTED);
        });
  }

  void verified() {
    write(dsl -> LandingLedger.advance(dsl, key, LandingLedger.LandingState.VERIFIED));
  }

  void publish(ProducerOrder order) throws InterruptedException {
    LandingContents contents = LandingContents.read(state, key, lake);
    contents.requireObjects();
    Generation published =
        new Generation(
            target,
            attempt,
            "job",
            generation,
            order,
            key,
            contents.inspection(),
            SchemaPolicy.SYNC,
            ForeignContent.REFUSE,
            null);
    Publisher publisher = new Publisher(catalog);
    transaction.time(() -> publisher.publish(published));
  }

  /** Seconds of the publishing transaction alone, retries included. */
  double transactionSeconds() {
    return transaction.seconds();
  }

  private void write(Consumer<DSLContext> change) {
    state.write(
        dsl -> {
          change.accept(dsl);
          return key;
        });
  }
}
