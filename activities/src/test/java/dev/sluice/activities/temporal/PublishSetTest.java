package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.workflows.PublishSetResult;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of several sources become visible together or not at all. */
class PublishSetTest {

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
  void openTheGate() {
    path.gate.open();
  }

  private static Source prepared(String table, long epoch, String select) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, epoch, "a.parquet", select);
    return source;
  }

  private static String rows(Source source) throws SQLException {
    return path.duckDb("SELECT count(*) FROM " + source.sql()).get(0).get(0);
  }

  @Test
  void allMembersBecomeVisibleInOneSnapshot() throws Exception {
    Source orders = prepared("set_orders", 100, "SELECT 1 AS id UNION ALL SELECT 2");
    Source lines = prepared("set_lines", 101, "SELECT range AS id FROM range(7)");

    PublishSetResult result = path.publishSet("together", orders.trigger(100), lines.trigger(101));

    assertThat(result.reason()).isNull();
    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.members())
        .extracting(RegisterResult::snapshotId)
        .containsOnly(result.snapshotId());
    assertThat(path.publications(orders).get(0).snapshotId()).isEqualTo(result.snapshotId());
    assertThat(path.publications(lines).get(0).snapshotId()).isEqualTo(result.snapshotId());
    assertThat(rows(orders)).isEqualTo("2");
    assertThat(rows(lines)).isEqualTo("7");
    assertThat(path.attempts(orders).get(0).status()).isEqualTo(JobStatus.COMPLETED);
    assertThat(path.attempts(lines).get(0).status()).isEqualTo(JobStatus.COMPLETED);
    long before = Objects.requireNonNull(result.snapshotId()) - 1;
    assertThat(
            path.duckDb(
                "SELECT count(*) FROM ducklake_list_files('lake', '%s', schema => '%s')"
                    .formatted(lines.published(), lines.schema())))
        .isEqualTo(List.of(List.of("1")));
    assertThat(
            path.catalog
                .reader()
                .view(path.catalog.reader().snapshot(before))
                .findTable(RegisterFixture.name(orders)))
        .as("neither was there one snapshot before")
        .isEmpty();
  }

  @Test
  void aStaleMemberKeepsTheWholeSetBack() throws Exception {
    Source stale = prepared("set_stale", 300, "SELECT 3 AS id");
    path.run(stale.trigger(300));
    path.write(stale, 200, "a.parquet", "SELECT 2 AS id");
    Source fresh = prepared("set_fresh", 200, "SELECT 1 AS id");
    CatalogDump before = path.catalogRows();

    PublishSetResult result = path.publishSet("stale", fresh.trigger(200), stale.trigger(200));

    assertThat(result.status()).isEqualTo(RegisterStatus.STALE);
    assertThat(result.reason()).contains(stale.table());
    assertThat(path.catalogRows().differences(before)).isEmpty();
    assertThat(path.publications(fresh)).isEmpty();
    assertThat(path.attempts(stale).get(0).status()).isEqualTo(JobStatus.STALE);
    assertThat(path.attempts(fresh).get(0).status()).isEqualTo(JobStatus.FAILED);
    assertThat(path.attempts(fresh).get(0).latestError())
        .contains("set stale is published as a whole or not at all");
  }

  @Test
  void aMemberThatFailsKeepsTheWholeSetBackAndAnotherTrySucceeds() throws Exception {
    Source good = prepared("set_good", 100, "SELECT 1 AS id");
    Source bad = path.newSource("set_bad");
    path.put(bad.folder(100), "a.parquet", new byte[] {1, 2, 3});

    PublishSetResult failed = path.publishSet("bad", good.trigger(100), bad.trigger(100));

    assertThat(failed.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(path.publications(good)).isEmpty();
    assertThat(path.attempts(good)).extracting(job -> job.status()).containsOnly(JobStatus.FAILED);

    path.write(bad, 100, "a.parquet", "SELECT 1 AS id");
    PublishSetResult second = path.publishSet("bad", good.trigger(100), bad.trigger(100));

    assertThat(second.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(rows(good)).isEqualTo("1");
    assertThat(rows(bad)).isEqualTo("1");
  }

  @Test
  void aMemberThatIsLiveAlreadyIsLeftAsItIs() throws Exception {
    Source live = prepared("set_live", 100, "SELECT 1 AS id");
    path.run(live.trigger(100));
    Source fresh = prepared("set_new", 100, "SELECT 1 AS id");

    PublishSetResult result = path.publishSet("half", live.trigger(100), fresh.trigger(100));

    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(path.publications(live)).hasSize(1);
    assertThat(result.members().get(0).reason()).contains("already published as snapshot");
    assertThat(path.publications(fresh)).hasSize(1);
  }

  @Test
  void aClosedGateKeepsTheWholeSetBackBeforeAnyWork() throws Exception {
    Source source = prepared("set_gate", 100, "SELECT 1 AS id");
    Source other = prepared("set_gate_other", 100, "SELECT 1 AS id");
    path.gate.close("flag x is off for team 2");

    PublishSetResult result = path.publishSet("gate", source.trigger(100), other.trigger(100));

    assertThat(result.status()).isEqualTo(RegisterStatus.SKIPPED);
    assertThat(result.reason()).contains("flag x is off");
    assertThat(path.attempts(source)).isEmpty();
    assertThat(path.attempts(other)).isEmpty();
  }
}
