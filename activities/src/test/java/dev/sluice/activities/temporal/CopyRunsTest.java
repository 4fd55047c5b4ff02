package dev.sluice.activities.temporal;

import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.remove;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.delta.DeltaException;
import dev.sluice.activities.storage.ObjectKeys;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.CopyPrepareInput;
import dev.sluice.workflows.activity.CopyPrepareInput.Patience;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is copied and what is not, and what happens to a table that changes meanwhile. */
class CopyRunsTest {

  private static final String IDS = schema(field("id", "integer"));

  private static RegisterFixture path;

  private final Set<String> copied = ConcurrentHashMap.newKeySet();

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
    path.lakeFault = lake -> lake;
  }

  private Set<String> copiedNames() {
    return copied.stream().map(ObjectKeys::fileName).collect(Collectors.toSet());
  }

  private DeltaSource twoFiles(String table) {
    DeltaSource delta = new DeltaSource(path, table);
    delta
        .folder()
        .commit(
            0,
            protocol(),
            metadata(IDS),
            delta.file("a.parquet", 5, "SELECT range::INT AS id FROM range(5)"),
            delta.file("b.parquet", 5, "SELECT range::INT + 5 AS id FROM range(5)"));
    return delta;
  }

  @Test
  void filesOfTheLiveVersionAreNotCopiedAgain() throws SQLException {
    DeltaSource delta = twoFiles("shared");
    assertThat(delta.copy(0).reason()).isNull();
    delta
        .folder()
        .commit(1, remove("b.parquet"), delta.file("c.parquet", 1, "SELECT 100::INT AS id"));

    path.lakeFault = lake -> FaultyStore.watched(lake, copied::add);
    assertThat(delta.copy(1).reason()).isNull();

    assertThat(copiedNames()).containsExactly("c.parquet");
    assertThat(delta.ask("SELECT count(*), sum(id) FROM t")).containsExactly(List.of("6", "110"));
    assertThat(delta.askAt(1, "SELECT count(*), sum(id) FROM t"))
        .containsExactly(List.of("10", "45"));
  }

  @Test
  void aLogThatIsGoneFromATableThatWasCopiedIsWaitedForAndThenRefused() {
    DeltaSource delta = twoFiles("rebuilt");
    assertThat(delta.copy(0).reason()).isNull();
    delta.folder().delete("_delta_log/00000000000000000000.json");
    RegisterTrigger trigger = delta.trigger(ProducerOrder.NEWEST_DELTA_VERSION, "next");
    AttemptRef attempt =
        path.jobs.open(
            new AttemptOpening(
                WorkflowPath.COPY, trigger, Instant.now(), "workflow", "run", "default"));
    CopyPrepare prepare =
        new CopyPrepare(path.home(), path::lake, path.sources, new Failures(path.text));

    assertThat(
            prepare
                .prepared(new CopyPrepareInput(trigger, attempt, Patience.WAIT, null))
                .waitReason())
        .contains(delta.source().table())
        .contains("_delta_log");
    assertThatThrownBy(
            () ->
                prepare.prepared(new CopyPrepareInput(trigger, attempt, Patience.EXHAUSTED, null)))
        .isInstanceOf(DeltaException.class)
        .hasMessageContaining("_delta_log");
  }

  @Test
  void aLandingThatWasCutOffGoesOnWhereItStopped() throws SQLException {
    DeltaSource delta = twoFiles("cut_off");
    AtomicBoolean first = new AtomicBoolean(true);
    path.lakeFault =
        lake ->
            FaultyStore.in(
                lake,
                (real, from, object, key) -> {
                  if (key.endsWith("b.parquet") && first.compareAndSet(true, false)) {
                    throw new IllegalStateException("the worker crashed here");
                  }
                  return real.copyFrom(from, object, key, TransferMonitor.NONE);
                });

    assertThat(delta.copy(0).reason()).isNull();

    assertThat(first).isFalse();
    assertThat(delta.ask("SELECT count(*), sum(id) FROM t")).containsExactly(List.of("10", "45"));
    assertThat(path.attempts(delta.source())).hasSize(1);
  }

  @Test
  void onS3AVersionIsCopiedWithPartitionsAndDeletes(@TempDir Path scratch) throws SQLException {
    try (RegisterFixture s3 = RegisterFixture.onS3(scratch)) {
      DeltaSource delta = new DeltaSource(s3, "on_s3");
      String dated =
          delta
              .file("p=a%20b/x.parquet", 3, "SELECT range::INT AS id FROM range(3)")
              .partition("p", "a b/c=d")
              .inlineDeletes(1)
              .toString()
              .replace("a%20b", "a%2520b");
      delta
          .folder()
          .commit(
              0,
              protocol("deletionVectors"),
              metadata(schema(field("id", "integer"), field("p", "string")), "p"),
              dated,
              delta.file("y.parquet", 1, "SELECT 7::INT AS id").partition("p", null));
      assertThat(delta.copy(0).reason()).isNull();
      delta
          .folder()
          .commit(1, delta.file("z.parquet", 1, "SELECT 8::INT AS id").partition("p", "NULL"));
      s3.lakeFault = lake -> FaultyStore.watched(lake, copied::add);
      assertThat(delta.copy(1).reason()).isNull();

      assertThat(copiedNames()).containsExactly("z.parquet");
      assertThat(delta.ask("SELECT id, p FROM t ORDER BY id"))
          .containsExactly(
              List.of("0", "a b/c=d"),
              List.of("2", "a b/c=d"),
              Arrays.asList("7", null),
              List.of("8", "NULL"));
      assertThat(s3.scan(delta.source())).hasSize(4);
    }
  }

  @Test
  @DisplayName("CPY-12: files that vanish while they are copied lead to a newer version")
  void cpy12_filesThatVanishLeadToANewerVersion() throws SQLException {
    DeltaSource delta = twoFiles("compacted");
    AtomicBoolean first = new AtomicBoolean(true);
    path.lakeFault =
        lake ->
            FaultyStore.in(
                lake,
                (real, from, object, key) -> {
                  if (first.compareAndSet(true, false)) {
                    delta
                        .folder()
                        .commit(
                            1,
                            remove("a.parquet"),
                            remove("b.parquet"),
                            delta.file("all.parquet", 10, "SELECT range::INT AS id FROM range(10)"))
                        .delete("a.parquet")
                        .delete("b.parquet");
                  }
                  return real.copyFrom(from, object, key, TransferMonitor.NONE);
                });

    RegisterResult result = delta.copy(0);

    assertThat(result.reason()).isNull();
    assertThat(result.generation()).isEqualTo("v1");
    assertThat(delta.ask("SELECT count(*), sum(id) FROM t")).containsExactly(List.of("10", "45"));
    assertThat(path.attempts(delta.source()))
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.generation()).isEqualTo("v1"));
  }

  @Test
  @DisplayName("CPY-15: a file that is lost after the copying keeps the old table live")
  void cpy15_aLostFileKeepsTheOldTableLive() throws SQLException {
    DeltaSource delta = new DeltaSource(path, "lost");
    delta
        .folder()
        .commit(0, protocol(), metadata(IDS), delta.file("old.parquet", 1, "SELECT 0::INT AS id"));
    assertThat(delta.copy(0).reason()).isNull();
    delta
        .folder()
        .commit(
            1,
            remove("old.parquet"),
            delta.file("a.parquet", 5, "SELECT range::INT AS id FROM range(5)"),
            delta.file("b.parquet", 5, "SELECT range::INT + 5 AS id FROM range(5)"));
    path.lakeFault =
        lake ->
            FaultyStore.watched(
                lake,
                key ->
                    path.lakeState.write(
                        dsl ->
                            dsl.execute(
                                "DELETE FROM sluice.landing_file WHERE source_key = 'a.parquet'"
                                    + " AND landing_id LIKE ?",
                                "%" + delta.source().schemaId() + "%")));

    RegisterResult result = delta.copy(1);

    assertThat(result.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(result.failureType()).isEqualTo(FailureTypes.VERIFICATION_FAILED);
    assertThat(result.reason())
        .contains("row_count: expected 10 but observed 5")
        .contains("the live table is untouched");
    assertThat(delta.ask("SELECT id FROM t")).containsExactly(List.of("0"));
    assertThat(path.publications(delta.source())).hasSize(1);
  }

  @Test
  @DisplayName("CPY-15: a log that counts otherwise than its files is no source to publish")
  void cpy15_aLogThatCountsOtherwiseIsRefused() {
    DeltaSource delta = new DeltaSource(path, "miscounted");
    delta
        .folder()
        .commit(
            0,
            protocol(),
            metadata(IDS),
            delta.file("a.parquet", 6, "SELECT range::INT AS id FROM range(5)"));

    RegisterResult result = delta.copy(0);

    assertThat(result.failureType()).isEqualTo(FailureTypes.VERIFICATION_FAILED);
    assertThat(result.reason()).contains("row_count: expected 6 but observed 5");
    assertThat(path.publications(delta.source())).isEmpty();
  }

  @Test
  void aTableThatIsHeldByTheOtherPathIsNotTakenOver() throws SQLException {
    DeltaSource delta = twoFiles("registered");
    path.write(delta.source(), 100, "a.parquet", "SELECT 1 AS id");
    assertThat(path.run(delta.source().trigger(100)).reason()).isNull();

    RegisterResult result = delta.copy(0);

    assertThat(result.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(result.failureType()).isEqualTo(FailureTypes.INVALID_INPUT);
    assertThat(result.reason())
        .contains("folder_epoch")
        .contains("needs orders of kind import_finished on both paths");
    assertThat(delta.ask("SELECT count(*) FROM t")).containsExactly(List.of("1"));
  }

  @Test
  void aSourceWhoseOrdersAreThoseOfItsImportsChangesFromRegisteringToCopyingAndBack()
      throws SQLException {
    DeltaSource delta = twoFiles("changing");
    Source source = delta.source();
    path.write(source, 100, "a.parquet", "SELECT 1::INT AS id");
    path.write(source, 101, "a.parquet", "SELECT 2::INT AS id");

    assertThat(path.run(registration(source, 100, 10)).reason()).isNull();
    assertThat(delta.copy(delta.trigger(finished(20), "copy")).reason()).isNull();
    assertThat(delta.ask("SELECT count(*), sum(id) FROM t")).containsExactly(List.of("10", "45"));
    assertThat(path.run(registration(source, 101, 15)).status()).isEqualTo(RegisterStatus.STALE);
    assertThat(path.run(registration(source, 101, 30)).reason()).isNull();

    assertThat(delta.ask("SELECT id FROM t")).containsExactly(List.of("2"));
    assertThat(delta.askAt(2, "SELECT id FROM t")).containsExactly(List.of("1"));
  }

  private static ProducerOrder finished(long micros) {
    return new ProducerOrder(ProducerOrder.Kind.IMPORT_FINISHED, micros);
  }

  private static RegisterTrigger registration(Source source, long epoch, long finished) {
    return new RegisterTrigger(
        source.team(),
        "job-" + finished,
        source.schemaId(),
        "Stripe",
        null,
        source.table(),
        source.folder(epoch),
        finished(finished),
        null,
        null);
  }

  @Test
  void whatSomebodyDeletesMeanwhileIsNotDropped() throws SQLException {
    DeltaSource delta = twoFiles("swept");
    assertThat(delta.copy(0).reason()).isNull();
    delta.folder().commit(1, delta.file("c.parquet", 1, "SELECT 100::INT AS id"));
    // somebody ends the rows of a file of the table while the next version is brought in
    AtomicBoolean first = new AtomicBoolean(true);
    path.lakeFault =
        lake ->
            FaultyStore.watched(
                lake,
                key -> {
                  if (first.compareAndSet(true, false)) {
                    try {
                      path.session()
                          .execute("DELETE FROM " + delta.source().sql() + " WHERE id = 3");
                    } catch (SQLException e) {
                      throw new IllegalStateException(e);
                    }
                  }
                });

    RegisterResult refused = delta.copy(1);

    assertThat(refused.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(refused.failureType()).isEqualTo(FailureTypes.FOREIGN_CONTENT);
    assertThat(delta.ask("SELECT count(*) FROM t")).containsExactly(List.of("9"));
  }
}
