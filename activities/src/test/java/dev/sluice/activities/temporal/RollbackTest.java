package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.WorkflowPath;
import io.temporal.client.WorkflowFailedException;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Going back to an earlier generation. */
class RollbackTest {

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  private static Source published(String table, long epoch, String select) throws SQLException {
    return publish(path.newSource(table), epoch, select);
  }

  private static Source publish(Source source, long epoch, String select) throws SQLException {
    path.write(source, epoch, "a.parquet", select);
    assertThat(path.run(source.trigger(epoch)).status()).isEqualTo(RegisterStatus.COMPLETED);
    return source;
  }

  private static List<List<@Nullable String>> rows(Source source) throws SQLException {
    return path.duckDb("SELECT * FROM " + source.sql() + " ORDER BY ALL");
  }

  private static ApplicationFailure refused(Source source, String generation) {
    try {
      RegisterResult result = path.rollback(source, generation, null);
      throw new AssertionError("was not refused: " + result);
    } catch (WorkflowFailedException e) {
      assertThat(e.getCause()).isInstanceOf(ApplicationFailure.class);
      return (ApplicationFailure) e.getCause();
    }
  }

  @Test
  void anEarlierGenerationComesBackAsAPublicationOfItsOwnFromFreshObjects() throws Exception {
    Source source = published("back", 100, "SELECT 1 AS id UNION ALL SELECT 2");
    long first = path.publications(source).get(0).snapshotId();
    publish(source, 200, "SELECT 7 AS id");

    RegisterResult result = path.rollback(source, "100", null);

    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.reason()).isNull();
    assertThat(rows(source)).isEqualTo(List.of(List.of("1"), List.of("2")));
    assertThat(path.scan(source)).hasSize(2);
    Publication live = path.publications(source).get(0);
    assertThat(live.generation()).isEqualTo("100");
    assertThat(live.restores()).isEqualTo(first);
    assertThat(live.rows()).isEqualTo(2);
    assertThat(path.attempts(source).get(0).status()).isEqualTo(JobStatus.COMPLETED);
    assertThat(
            path.duckDb(
                "SELECT count(DISTINCT path), count(*) FROM (SELECT unnest(data_file) AS path FROM ("
                    + "SELECT list(data_file) AS data_file FROM ducklake_list_files('lake', '%1$s',"
                        .formatted(source.published())
                    + " schema => '%s', snapshot_version => %d) UNION ALL SELECT list(data_file)"
                        .formatted(source.schema(), first)
                    + " FROM ducklake_list_files('lake', '%s', schema => '%s')))"
                        .formatted(source.published(), source.schema())))
        .as("no object belongs to two rows")
        .isEqualTo(List.of(List.of("2", "2")));
  }

  @Test
  void onlyAGenerationNewerThanTheNewestEverPublishedFollows() throws Exception {
    Source source = published("fence", 100, "SELECT 1 AS id");
    publish(source, 200, "SELECT 2 AS id");
    path.rollback(source, "100", null);
    path.write(source, 150, "a.parquet", "SELECT 150 AS id");

    assertThat(path.run(source.trigger(200)).status()).isEqualTo(RegisterStatus.STALE);
    assertThat(path.run(source.trigger(150)).status()).isEqualTo(RegisterStatus.STALE);
    assertThat(rows(source)).isEqualTo(List.of(List.of("1")));
    publish(source, 300, "SELECT 3 AS id");
    assertThat(rows(source)).isEqualTo(List.of(List.of("3")));
  }

  @Test
  void theSameKeyIsCarriedOutOnce() throws Exception {
    Source source = published("key", 100, "SELECT 1 AS id");
    publish(source, 200, "SELECT 2 AS id");
    RegisterResult first = path.rollback(source, "100", "ticket-7");
    publish(source, 300, "SELECT 3 AS id");
    CatalogDump before = path.catalogRows();

    RegisterResult again = path.rollback(source, "100", "ticket-7");

    assertThat(again.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(again.snapshotId()).isEqualTo(first.snapshotId());
    assertThat(again.reason()).contains("was published already").contains("nothing was changed");
    assertThat(path.catalogRows().differences(before)).isEmpty();
    assertThat(rows(source)).isEqualTo(List.of(List.of("3")));
  }

  @Test
  void aGenerationThatIsLiveNeedsNothing() throws Exception {
    Source source = published("live", 100, "SELECT 1 AS id");
    int attempts = path.attempts(source).size();

    RegisterResult result = path.rollback(source, "100", null);

    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.reason()).contains("generation 100 was published already, as snapshot ");
    assertThat(path.attempts(source)).hasSize(attempts);
  }

  @Test
  void anUnknownGenerationIsRefusedAndTheKnownOnesAreNamed() throws Exception {
    Source source = published("unknown", 100, "SELECT 1 AS id");

    ApplicationFailure failure = refused(source, "99");

    assertThat(failure.getType()).isEqualTo(FailureTypes.INVALID_INPUT);
    assertThat(failure.getOriginalMessage())
        .contains("cannot go back to generation 99; it was never published to it")
        .contains("the newest that were are 100");
  }

  @Test
  void aGenerationWhoseSnapshotHasExpiredIsRefused() throws Exception {
    Source source = published("expired", 100, "SELECT 1 AS id");
    publish(source, 200, "SELECT 2 AS id");
    path.session().execute("CALL ducklake_expire_snapshots('lake', older_than => now())");

    ApplicationFailure failure = refused(source, "100");

    assertThat(failure.getType()).isEqualTo(FailureTypes.INVALID_INPUT);
    assertThat(failure.getOriginalMessage())
        .contains("cannot go back to generation 100;")
        .contains("has expired");
    assertThat(rows(source)).isEqualTo(List.of(List.of("2")));
  }

  @Test
  void expiryAndCleanUpLeaveTheRestoredTableReadable() throws Exception {
    Source source = published("clean", 100, "SELECT 1 AS id");
    publish(source, 200, "SELECT 2 AS id");
    path.rollback(source, "100", null);

    path.session().execute("CALL ducklake_expire_snapshots('lake', older_than => now())");
    path.session().execute("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)");

    assertThat(rows(source)).isEqualTo(List.of(List.of("1")));
    assertThat(path.scan(source)).isEqualTo(List.of(List.of("1")));
  }

  @Test
  void columnsFollowTheGenerationByTheRulesOfAPublication() throws Exception {
    Source source = published("columns", 100, "SELECT 1 AS id, 10 AS x, 'gone' AS old");
    publish(source, 200, "SELECT 2 AS id, 'text' AS x, 5.5 AS added");

    path.rollback(source, "100", null);

    assertThat(path.duckDb("SELECT id, x, old FROM " + source.sql()))
        .isEqualTo(List.of(List.of("1", "10", "gone")));
    assertThat(path.duckDb("SELECT typeof(x) FROM " + source.sql()))
        .isEqualTo(List.of(List.of("INTEGER")));
  }

  @Test
  void partitionFoldersKeepTheirMeaning() throws Exception {
    Source source = path.newSource("parted");
    path.write(source, 100, "country=NO/a.parquet", "SELECT 1 AS id");
    path.write(source, 100, "country=SE/a.parquet", "SELECT 2 AS id");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    path.write(source, 200, "country=DK/a.parquet", "SELECT 3 AS id");
    assertThat(path.run(source.trigger(200)).reason()).isNull();

    path.rollback(source, "100", null);

    assertThat(path.duckDb("SELECT id, country FROM " + source.sql() + " ORDER BY id"))
        .isEqualTo(List.of(List.of("1", "NO"), List.of("2", "SE")));
    assertThat(path.duckDb("SELECT id FROM " + source.sql() + " WHERE country = 'SE'"))
        .isEqualTo(List.of(List.of("2")));
  }

  @Test
  void anEmptyGenerationComesBackEmptyWithItsColumns() throws Exception {
    Source source = published("empty", 100, "SELECT 1 AS id, 'a' AS v WHERE false");
    publish(source, 200, "SELECT 2 AS id, 'b' AS v");

    assertThat(path.rollback(source, "100", null).rows()).isZero();

    assertThat(rows(source)).isEmpty();
    assertThat(path.duckDb("SELECT column_name FROM (DESCRIBE " + source.sql() + ")"))
        .isEqualTo(List.of(List.of("id"), List.of("v")));
  }

  @Test
  void filesThatSomebodyMergedAreRefusedBeforeAnythingIsCopied() throws Exception {
    Source source = path.newSource("merged");
    path.write(source, 100, "a.parquet", "SELECT 1 AS id");
    path.write(source, 100, "b.parquet", "SELECT 2 AS id");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    path.session()
        .execute(
            "CALL ducklake_merge_adjacent_files('lake', '%s', schema => '%s')"
                .formatted(source.published(), source.schema()));
    publish(source, 200, "SELECT 7 AS id");
    int attempts = path.attempts(source).size();

    ApplicationFailure failure = refused(source, "100");

    assertThat(failure.getType()).isEqualTo(FailureTypes.INVALID_INPUT);
    assertThat(failure.getOriginalMessage()).contains("somebody merged or rewrote its files into");
    assertThat(path.attempts(source)).hasSize(attempts);
    assertThat(rows(source)).isEqualTo(List.of(List.of("7")));
  }

  @Test
  void aRunningAttemptIsInTheWayUntilItEnds() throws Exception {
    Source source = published("busy", 100, "SELECT 1 AS id");
    publish(source, 200, "SELECT 2 AS id");
    path.jobs.open(
        new AttemptOpening(
            WorkflowPath.REGISTER,
            source.trigger(300),
            Instant.EPOCH,
            "elsewhere",
            "run",
            "elsewhere"));

    ApplicationFailure failure = refused(source, "100");

    assertThat(failure.getType()).isEqualTo(FailureTypes.LOGICAL_CONFLICT);
    assertThat(failure.getOriginalMessage())
        .contains("attempt job-300:300#1 runs since")
        .contains("pause the source");
  }

  @Test
  void aKeyThatCannotBePartOfAPathIsRefused() throws Exception {
    Source source = published("badkey", 100, "SELECT 1 AS id");

    assertThatThrownBy(() -> path.rollback(source, "100", "../x"))
        .rootCause()
        .hasMessageContaining("key ../x: cannot name a rollback");
  }
}
