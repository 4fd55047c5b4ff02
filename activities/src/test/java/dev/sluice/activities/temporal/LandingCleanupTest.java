package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.landing.LandingCleanup;
import dev.sluice.activities.landing.LandingRemains;
import dev.sluice.activities.landing.LandingRemains.Verdict;
import dev.sluice.activities.storage.DeleteResult;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.workflows.RegisterStatus;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nobody published is removed, and nothing else, on a real S3 endpoint and catalog. */
class LandingCleanupTest {

  private static final Duration AGE = LandingCleanup.DEFAULT_AGE;

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.onS3(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  @AfterEach
  void withoutFaults() {
    path.lakeFault = lake -> lake;
  }

  /** A clean-up that runs so long after what the test did. */
  private static LandingCleanup cleanup(ObjectStore store, Duration later) {
    return new LandingCleanup(
        path.jobs,
        path.events,
        path.catalog,
        store,
        path.lakeState,
        Clock.offset(Clock.systemUTC(), later));
  }

  private static LandingCleanup cleanup() {
    return cleanup(path.lakeStore, AGE.plusDays(1));
  }

  private static List<LandingRemains> remainsOf(Source source) {
    return remainsOf(cleanup(), source);
  }

  private static List<LandingRemains> remainsOf(LandingCleanup cleanup, Source source) {
    return cleanup.find(AGE).stream()
        .filter(remains -> remains.target().table().equals(source.published()))
        .toList();
  }

  /** A source with a live generation 100 and a quarantined one, 200. */
  private static Source quarantined(String table) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, 100, "a.parquet", "SELECT 100 AS g");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    path.write(source, 200, "a.parquet", "SELECT range AS g FROM range(3)");
    path.write(source, 200, "b.parquet", "SELECT range AS g FROM range(3)");
    byte[] other = path.parquet("SELECT range AS g FROM range(2)");
    path.lakeFault =
        lake ->
            FaultyStore.in(
                lake,
                (real, from, object, key) -> {
                  real.put(key, other);
                  return new ObjectInfo(key, object.sizeBytes(), null, null, null);
                });
    assertThat(path.run(source.trigger(200)).status()).isEqualTo(RegisterStatus.FAILED);
    path.lakeFault = lake -> lake;
    return source;
  }

  private static List<String> objectsOf(Source source) {
    try (var listed = path.lakeStore.list(source.schema() + "/" + source.published() + "/")) {
      return listed.map(ObjectInfo::key).toList();
    }
  }

  @Test
  void aQuarantinedGenerationIsRemovedAndCanComeAgain() throws SQLException {
    Source source = quarantined("quarantined");

    List<LandingRemains> found = remainsOf(source);

    assertThat(found).hasSize(1);
    LandingRemains remains = found.getFirst();
    assertThat(remains.verdict()).isEqualTo(Verdict.REMOVABLE);
    assertThat(remains.state()).isEqualTo("quarantined");
    assertThat(remains.reason()).contains("is not what the source has");
    assertThat(remains.objectKeys()).hasSize(2);
    assertThat(objectsOf(source)).as("looking removes nothing").hasSize(3);

    LandingCleanup.Removal removal = cleanup().remove(remains, AGE);

    assertThat(removal.removed()).isEqualTo(2);
    assertThat(removal.failures()).isEmpty();
    assertThat(objectsOf(source)).hasSize(1);
    assertThat(path.scan(source)).containsExactly(List.of("100"));
    assertThat(path.eventKinds(source)).contains(EventKind.LANDING_CLEANED);
    assertThat(path.lakeState.read(dsl -> LandingLedger.find(dsl, remains.key())).orElseThrow())
        .extracting(LandingLedger.Landing::state)
        .isEqualTo(LandingLedger.LandingState.CLEANED);
    assertThat(remainsOf(source)).isEmpty();

    assertThat(path.run(source.trigger(200)).reason()).isNull();
    assertThat(path.duckDb("SELECT count(*) FROM " + source.sql())).containsExactly(List.of("6"));
    assertThat(objectsOf(source)).noneMatch(key -> key.startsWith(remains.key().landingId()));
  }

  @Test
  void whatIsYoungStays() throws SQLException {
    Source source = quarantined("young");

    assertThat(remainsOf(cleanup(path.lakeStore, AGE.minusHours(1)), source)).isEmpty();
    assertThatThrownBy(() -> cleanup().find(Duration.ofDays(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "an age of at least 72 hours, the longest that an attempt can take, is required, got"
                + " 48");
  }

  @Test
  void whatAnySnapshotOrScheduledDeletionNamesStays() throws SQLException {
    Source source = path.newSource("named");
    for (long epoch = 100; epoch <= 300; epoch += 100) {
      path.write(source, epoch, "a.parquet", "SELECT " + epoch + " AS g");
      assertThat(path.run(source.trigger(epoch)).reason()).isNull();
    }
    // as if the ledger did not know what was published, and the live row were the only witness
    path.lakeState.write(
        dsl ->
            dsl.execute(
                "UPDATE sluice.landing SET state = 'landed' WHERE table_name = ?",
                source.published()));

    assertThat(remainsOf(source)).as("live now or at an earlier snapshot").isEmpty();

    path.session()
        .execute(
            "CALL ducklake_expire_snapshots('lake', versions => [%d])"
                .formatted(path.publications(source).get(2).snapshotId()));
    assertThat(remainsOf(source)).as("scheduled for deletion").isEmpty();
    assertThat(objectsOf(source)).hasSize(3);
  }

  @Test
  void objectsThatNoLedgerRowKnowsAreRemoved() throws SQLException {
    Source source = path.newSource("orphans");
    path.write(source, 100, "a.parquet", "SELECT 100 AS g");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    String imports = source.schema() + "/" + source.published() + "/_imports/";
    String published = objectsOf(source).getFirst();
    String beside = published.substring(0, published.lastIndexOf('/')) + "/late.parquet";
    String unknown = imports + source.schemaId() + "/job-1/1/p=x/lost.parquet";
    path.lakeStore.put(beside, new byte[] {1});
    path.lakeStore.put(unknown, new byte[] {1, 2});
    path.lakeStore.put(imports + "not-in-a-landing", new byte[] {1});

    List<LandingRemains> found = remainsOf(source);

    assertThat(found)
        .extracting(LandingRemains::state)
        .containsExactlyInAnyOrder("unknown", "published");
    found.forEach(remains -> assertThat(cleanup().remove(remains, AGE).removed()).isEqualTo(1));
    assertThat(objectsOf(source))
        .containsExactlyInAnyOrder(published, imports + "not-in-a-landing");
    assertThat(path.scan(source)).containsExactly(List.of("100"));
  }

  @Test
  void aGenerationThatComesAgainMeanwhileIsLeftAlone() throws SQLException {
    Source source = quarantined("racing");
    LandingRemains remains = remainsOf(source).getFirst();
    CountDownLatch verified = new CountDownLatch(1);
    CountDownLatch publish = new CountDownLatch(1);
    path.lakeFault =
        lake -> {
          boolean ready =
              path.lakeState
                  .read(dsl -> LandingLedger.find(dsl, remains.key()))
                  .map(landing -> landing.state() == LandingLedger.LandingState.VERIFIED)
                  .orElse(false);
          if (ready) {
            verified.countDown();
            Uninterruptibly.await(publish);
          }
          return lake;
        };
    path.start(source.trigger(200));
    Uninterruptibly.await(verified);

    // found before the publication began, removed while it is under way
    assertThat(cleanup().remove(remains, AGE).removed()).isZero();
    assertThat(remainsOf(source))
        .singleElement()
        .extracting(LandingRemains::verdict)
        .isEqualTo(Verdict.KEPT);

    publish.countDown();
    assertThat(path.await(source.trigger(200)).reason()).isNull();
    assertThat(cleanup().remove(remains, AGE).removed()).isZero();
    assertThat(path.duckDb("SELECT count(*) FROM " + source.sql())).containsExactly(List.of("6"));
  }

  @Test
  void anAttemptThatWasTakenFromUnderneathLandsElsewhere() throws SQLException {
    Source source = quarantined("taken");
    LandingRemains remains = remainsOf(source).getFirst();
    assertThat(cleanup().remove(remains, AGE).removed()).isEqualTo(2);

    assertThatThrownBy(
            () ->
                path.lakeState.write(
                    dsl -> {
                      LandingLedger.open(
                          dsl, remains.key(), remains.source(), "200", remains.target());
                      return remains;
                    }))
        .hasMessageContaining("a clean-up of old landings has just begun to remove its objects");
  }

  @Test
  void objectsThatTheStoreDoesNotDeleteAreReportedAndTriedAgain() throws SQLException {
    Source source = quarantined("stubborn");
    LandingRemains remains = remainsOf(source).getFirst();
    DeleteResult.Failure failure =
        new DeleteResult.Failure(remains.objectKeys().getFirst(), "AccessDenied", "no");

    LandingCleanup.Removal removal =
        cleanup(notDeleting(failure), AGE.plusDays(1)).remove(remains, AGE);

    assertThat(removal.failures()).containsExactly(failure);
    List<LandingRemains> again = remainsOf(source);
    assertThat(again)
        .singleElement()
        .extracting(LandingRemains::state, LandingRemains::verdict)
        .containsExactly("cleaned", Verdict.REMOVABLE);
    assertThat(cleanup().remove(again.getFirst(), AGE).removed()).isEqualTo(1);
    assertThat(remainsOf(source)).isEmpty();
  }

  /** The lake's store, which does not delete one key. */
  private static ObjectStore notDeleting(DeleteResult.Failure failure) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("delete")) {
                return method.invoke(path.lakeStore, arguments);
              }
              List<String> others =
                  ((Collection<?>) arguments[0])
                      .stream()
                          .map(String::valueOf)
                          .filter(key -> !key.equals(failure.key()))
                          .toList();
              return new DeleteResult(
                  path.lakeStore.delete(others).deletedCount(), List.of(failure));
            });
  }
}
