package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.embedded.EmbeddedS3;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What holds for every refusal: the run ends as failed, its attempt is failed with the same text of
 * 2,000 characters at most and without a secret, the lake's catalog has not changed by a row, and
 * the table that was live is read by both readers as before.
 */
final class Refusal {

  private Refusal() {}

  /** Runs a trigger that must fail; returns the reason, which has problem, reason and remedy. */
  static String of(RegisterFixture path, Source source, RegisterTrigger trigger)
      throws SQLException {
    String reason = cutOf(path, source, trigger);
    assertThat(reason.split("; ")).as(reason).hasSizeGreaterThanOrEqualTo(3);
    return reason;
  }

  /** The same for a reason so long that its end, and with it the remedy, may be cut off. */
  static String cutOf(RegisterFixture path, Source source, RegisterTrigger trigger)
      throws SQLException {
    CatalogDump before = path.catalogRows();
    List<Publication> published = path.publications(source);
    List<List<@Nullable String>> live = rows(path, source, published);

    RegisterResult result = path.run(trigger);

    assertThat(result.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(result.snapshotId()).isNull();
    String reason = Objects.requireNonNull(result.reason(), "reason");
    SourceJob attempt = path.attempts(source).getFirst();
    assertThat(attempt.status()).isEqualTo(JobStatus.FAILED);
    assertThat(attempt.latestError()).isEqualTo(reason);
    assertThat(reason)
        .hasSizeLessThanOrEqualTo(2000)
        .doesNotContain(RegisterFixture.SECRET)
        .doesNotContain(EmbeddedS3.shared().secretKey());
    assertThat(path.catalogRows().differences(before)).isEmpty();
    assertThat(path.publications(source)).isEqualTo(published);
    assertThat(rows(path, source, published)).isEqualTo(live);
    return reason;
  }

  /** Rows of the live table by our scan, checked against DuckDB's; none where nothing is live. */
  private static List<List<@Nullable String>> rows(
      RegisterFixture path, Source source, List<Publication> published) throws SQLException {
    if (published.isEmpty()) {
      return List.of();
    }
    List<List<@Nullable String>> rows = path.scan(source);
    assertThat(path.duckDb("SELECT * FROM " + source.sql()))
        .containsExactlyInAnyOrderElementsOf(rows);
    return rows;
  }
}
