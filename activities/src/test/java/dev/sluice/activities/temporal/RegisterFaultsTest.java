package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.naming.GenerationToken;
import dev.sluice.workflows.naming.LandingPrefix;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Things that go wrong half-way, and what others do to the lake meanwhile. */
class RegisterFaultsTest {

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  @AfterEach
  void withoutFaults() {
    path.options = Sources.Options.defaults();
    path.sourceFault = store -> store;
    path.lakeFault = lake -> lake;
  }

  private static Source live(String table) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, 100, "a.parquet", "SELECT 100 AS g");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    return source;
  }

  private static LandingLedger.Key landing(Source source, long epoch) {
    return new LandingLedger.Key(
        path.catalog.info().key(),
        LandingPrefix.of(
                source.schema(),
                source.published(),
                source.schemaId(),
                "job-" + epoch,
                new GenerationToken(Long.toString(epoch)))
            .value());
  }

  private static Optional<LandingLedger.LandingState> stateOf(Source source, long epoch) {
    Optional<LandingLedger.Landing> found =
        path.lakeState.read(dsl -> LandingLedger.find(dsl, landing(source, epoch)));
    return found.map(LandingLedger.Landing::state);
  }

  @Test
  @DisplayName("8.2 invariant 2: a row-count mismatch quarantines and leaves the live generation")
  void invariant2MismatchQuarantinesAndLeavesTheLiveGeneration() throws Exception {
    Source source = live("mismatch");
    path.write(source, 200, "a.parquet", "SELECT range AS g FROM range(3)");
    byte[] other = path.parquet("SELECT range AS g FROM range(2)");
    path.lakeFault =
        lake ->
            FaultyStore.in(
                lake,
                (real, from, object, key) -> {
                  real.put(key, other);
                  return new ObjectInfo(key, object.sizeBytes(), null, null, null);
                });
    CatalogDump before = path.catalogRows();

    RegisterResult failed = path.run(source.trigger(200));

    assertThat(failed.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(failed.reason())
        .contains("row_count: expected 3 but observed 2")
        .contains("quarantined");
    assertThat(path.catalogRows().differences(before)).isEmpty();
    assertThat(path.scan(source)).containsExactly(List.of("100"));
    SourceJob attempt = path.attempts(source).getFirst();
    assertThat(path.checks.of(attempt.key()).stream().filter(c -> !c.passed()))
        .extracting(CheckResult::name)
        .contains("row_count");
    assertThat(stateOf(source, 200)).contains(LandingLedger.LandingState.QUARANTINED);

    path.lakeFault = lake -> lake;
    RegisterResult again = path.run(source.trigger(200));

    assertThat(again.reason()).isNull();
    assertThat(again.rows()).isEqualTo(3);
    assertThat(path.duckDb("SELECT count(*) FROM " + source.sql())).containsExactly(List.of("3"));
  }

  @Test
  @DisplayName("8.2 invariant 2: a file that the folder got after it was listed fails the attempt")
  void invariant2FileThatCameLateFailsTheAttempt() throws Exception {
    Source source = live("late_file");
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");
    byte[] late = path.parquet("SELECT 201 AS g");
    path.lakeFault =
        lake ->
            FaultyStore.in(
                lake,
                (real, from, object, key) -> {
                  path.put(source.folder(200), "b.parquet", late);
                  return real.copyFrom(from, object, key, TransferMonitor.NONE);
                });

    RegisterResult failed = path.run(source.trigger(200));

    assertThat(failed.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(failed.reason()).contains("file_count: expected 2 but observed 1");
    assertThat(path.scan(source)).containsExactly(List.of("100"));
    Target target = new Target("public", source.schema(), source.published());
    assertThat(path.lakeState.read(dsl -> Fences.find(dsl, target)).orElseThrow().holder())
        .as("who may publish once the attempt is closed as failed")
        .isNull();
  }

  @Test
  void landingGoesOnWhereItStopped() throws Exception {
    Source source = path.newSource("resume");
    for (int file = 0; file < 300; file++) {
      path.put(
          source.folder(100), "f-%03d.parquet".formatted(file), path.parquet("SELECT 1 AS id"));
    }
    AtomicBoolean crashed = new AtomicBoolean();
    ConcurrentLinkedQueue<String> copiedAfterwards = new ConcurrentLinkedQueue<>();
    path.lakeFault =
        lake ->
            crashed.get()
                ? FaultyStore.watched(lake, copiedAfterwards::add)
                : FaultyStore.failingAfter(290, lake, () -> crashed.set(true));

    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.reason()).isNull();
    assertThat(result.rows()).isEqualTo(300);
    // what was landed is not copied again, but for those under way when it happened
    assertThat(copiedAfterwards).hasSizeBetween(10, 10 + Limits.DEFAULT_COPIES);
    assertThat(path.attempts(source)).hasSize(1);
  }

  @Test
  void lateCopyOfAnEarlierVersionOfTheSourceNeverMeetsWhatIsPublished() throws Exception {
    Source source = live("rewritten");
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");
    ConcurrentLinkedQueue<String> begun = new ConcurrentLinkedQueue<>();
    path.lakeFault =
        lake ->
            FaultyStore.in(
                lake,
                (real, from, object, key) -> {
                  begun.add(key);
                  throw ApplicationFailure.newNonRetryableFailure(
                      "the producer writes the folder anew", "Test");
                });
    assertThat(path.run(source.trigger(200)).status()).isEqualTo(RegisterStatus.FAILED);

    path.write(source, 200, "a.parquet", "SELECT range AS g FROM range(3)");
    path.lakeFault = lake -> lake;
    assertThat(path.run(source.trigger(200)).reason()).isNull();
    // the copy that was begun first arrives last
    path.lakeStore.put(begun.element(), path.parquet("SELECT 200 AS g"));

    assertThat(path.duckDb("SELECT count(*) FROM " + source.sql())).containsExactly(List.of("3"));
    assertThat(path.scan(source)).hasSize(3);
  }

  @Test
  void landedObjectRemovedBeforePublishingFailsTheAttemptAndIsLandedAnewNextTime()
      throws Exception {
    Source source = live("vanished");
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");
    path.write(source, 200, "b.parquet", "SELECT 201 AS g");
    CountDownLatch removed = new CountDownLatch(1);
    ConcurrentHashMap<String, Integer> calls = new ConcurrentHashMap<>();
    path.lakeFault =
        lake -> {
          // the last stage that asks for its lake before the attempt is closed
          boolean verified =
              stateOf(source, 200).equals(Optional.of(LandingLedger.LandingState.VERIFIED));
          if (verified && calls.merge("removed", 1, Integer::sum) == 1) {
            path.lakeStore.delete(List.of(landing(source, 200).landingId() + "b.parquet"));
            removed.countDown();
          }
          return lake;
        };
    CatalogDump before = path.catalogRows();

    RegisterResult failed = path.run(source.trigger(200));

    assertThat(failed.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(failed.reason())
        .contains("b.parquet")
        .contains("the landed object is missing")
        .contains("trigger the generation again");
    assertThat(path.catalogRows().differences(before)).isEmpty();

    RegisterResult again = path.run(source.trigger(200));

    assertThat(again.reason()).isNull();
    assertThat(path.duckDb("SELECT g FROM " + source.sql() + " ORDER BY g"))
        .containsExactly(List.of("200"), List.of("201"));
  }

  @Test
  void foreignContentIsReplacedByPolicyAndAnEventNamesIt() throws Exception {
    Source source = live("foreign_replaced");
    path.session().execute("INSERT INTO " + source.sql() + " VALUES (7)");
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");
    path.options =
        new Sources.Options(
            Sources.Options.defaults().match(),
            Sources.Options.defaults().schemaPolicy(),
            ForeignContent.REPLACE);

    RegisterResult result = path.run(source.trigger(200));

    assertThat(result.reason()).isNull();
    assertThat(path.duckDb("SELECT g FROM " + source.sql())).containsExactly(List.of("200"));
    assertThat(path.events.newest(RegisterFixture.ref(source), 10))
        .filteredOn(event -> event.kind() == EventKind.FOREIGN_CONTENT_REPLACED)
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.reason())
                    .contains("found was: 1 data files were added (ducklake-"));
  }

  @Test
  void tableThatSluiceDidNotMakeIsForeignContent() throws Exception {
    Source source = path.newSource("taken_by_duckdb");
    path.session().execute("CREATE SCHEMA IF NOT EXISTS lake." + source.schema());
    path.session().execute("CREATE TABLE " + source.sql() + " AS SELECT 7 AS g");
    path.write(source, 100, "a.parquet", "SELECT 100 AS g");

    assertThat(Refusal.of(path, source, source.trigger(100)))
        .contains(source.published())
        .contains("was changed by others since Sluice last published it");
    assertThat(path.duckDb("SELECT g FROM " + source.sql())).containsExactly(List.of("7"));
  }

  @Test
  @DisplayName("8.2 invariant 3: a lost terminal write is corrected from the publication")
  void invariant3LostTerminalWriteIsCorrectedFromThePublication() throws Exception {
    Source source = live("lost_close");
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");
    AtomicBoolean published = new AtomicBoolean();
    path.lakeFault =
        lake -> {
          // the publishing activity crashes right after its commit: the answer is lost
          if (path.publications(source).size() == 2 && published.compareAndSet(false, true)) {
            throw new IllegalStateException("the answer was lost");
          }
          return lake;
        };

    RegisterResult result = path.run(source.trigger(200));

    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(path.attempts(source).getFirst().status()).isEqualTo(JobStatus.COMPLETED);
    assertThat(path.publications(source)).hasSize(2);
    assertThat(path.run(source.trigger(100)).status()).isEqualTo(RegisterStatus.STALE);
    assertThat(path.scan(source)).containsExactly(List.of("200"));
  }

  @Test
  @DisplayName("8.2 invariant 2: a cancelled run leaves the live generation")
  void invariant2CancelledRunLeavesTheLiveGeneration() throws Exception {
    Source source = live("cancelled");
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");
    CountDownLatch landing = new CountDownLatch(1);
    path.lakeFault =
        lake ->
            FaultyStore.in(
                lake,
                (real, from, object, key) -> {
                  landing.countDown();
                  awaitInterrupt();
                  return real.copyFrom(from, object, key, TransferMonitor.NONE);
                });
    path.start(source.trigger(200));
    Uninterruptibly.await(landing);
    WorkflowStub run = path.client().newUntypedWorkflowStub(WorkflowIds.of(source.trigger(200)));
    run.cancel();

    assertThat(catchThrowable(() -> run.getResult(RegisterResult.class))).isNotNull();
    assertThat(path.attempts(source).getFirst().status()).isEqualTo(JobStatus.FAILED);
    assertThat(path.attempts(source).getFirst().latestError()).contains("cancelled on request");
    assertThat(path.scan(source)).containsExactly(List.of("100"));

    path.lakeFault = lake -> lake;
    assertThat(path.run(source.trigger(200)).reason()).isNull();
    assertThat(path.scan(source)).containsExactly(List.of("200"));
  }

  /** As a copy that takes for ever: only the landing's own interrupt ends it. */
  private static void awaitInterrupt() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @DisplayName("8.2 invariant 4: no catalog row references an object that does not exist")
  void invariant4EveryCatalogRowHasItsObject() throws Exception {
    Source source = live("rows_have_objects");
    path.write(source, 200, "p=x/a.parquet", "SELECT 200 AS g");
    path.run(source.trigger(200));

    assertThat(
            path.duckDb(
                "SELECT data_file FROM ducklake_list_files('lake', '%s', schema => '%s')"
                    .formatted(source.published(), source.schema())))
        .hasSize(1)
        .allSatisfy(
            row ->
                assertThat(
                        path.lakeRoot
                            .keyOf(String.valueOf(row.getFirst()))
                            .filter(path.lakeStore::exists))
                    .isPresent());
  }

  @Test
  void nextGenerationMakesATableAnewThatSomebodyDropped() throws Exception {
    Source source = live("dropped");
    path.session().execute("DROP TABLE " + source.sql());
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");

    assertThat(path.run(source.trigger(200)).reason()).isNull();
    assertThat(path.duckDb("SELECT g FROM " + source.sql())).containsExactly(List.of("200"));
    assertThat(path.scan(source)).containsExactly(List.of("200"));
  }

  @Test
  @DisplayName("8.2 invariant 15: merging, expiry and clean-up by DuckDB lose nothing that is live")
  void invariant15MaintenanceByDuckDbLosesNothingThatIsLive() throws Exception {
    Source source = live("maintained");
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");
    path.write(source, 200, "b.parquet", "SELECT 201 AS g");
    path.write(source, 300, "a.parquet", "SELECT 300 AS g");
    assertThat(path.run(source.trigger(200)).reason()).isNull();
    path.session().execute("CALL ducklake_merge_adjacent_files('lake')");

    assertThat(path.run(source.trigger(300)).reason()).isNull();
    path.session().execute("CALL ducklake_expire_snapshots('lake', older_than => now())");
    path.session().execute("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)");

    assertThat(path.duckDb("SELECT g FROM " + source.sql())).containsExactly(List.of("300"));
    assertThat(path.scan(source)).containsExactly(List.of("300"));
  }
}
