package dev.sluice.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.worker.metrics.SluiceMetrics.Stage;
import dev.sluice.worker.metrics.SluiceMetrics.StageStatus;
import dev.sluice.workflows.activity.WorkflowPath;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SluiceMetricsTest {
  private static final SourceRef SOURCE = new SourceRef(2, "s-1");

  private final SluiceMetrics metrics = new SluiceMetrics();

  @Test
  void everyMetricOfTheRegisterPathHasItsContractName() {
    metrics.started(WorkflowPath.REGISTER, SOURCE);
    metrics.finished(WorkflowPath.REGISTER, SOURCE, "completed", Duration.ofMillis(1500));
    metrics.stale(WorkflowPath.REGISTER, SOURCE, Stage.PUBLISH);
    metrics.stage(
        WorkflowPath.REGISTER, SOURCE, Stage.COPY, StageStatus.SUCCESS, Duration.ofMillis(250));
    metrics.published(
        WorkflowPath.REGISTER, SOURCE, 3, 1000, 4096, Instant.ofEpochSecond(1_785_365_519));
    metrics.verification(WorkflowPath.REGISTER, SOURCE, "row_count", "passed");
    metrics.commitAttempt("public");
    metrics.commitAttempt("public");
    metrics.commitConflict("public");
    metrics.commitDone("public", Duration.ofMillis(20));

    assertThat(printed())
        .containsExactly(
            name("bytes_copied", "") + " count=1 mean=4096 p50=4096 p99=4096 max=4096",
            name("duration_seconds", ",status=\"completed\"")
                + " count=1 mean=1.500 p50=1.500 p99=1.500 max=1.500",
            name("files_registered", "") + " count=1 mean=3 p50=3 p99=3 max=3",
            name("finished", ",status=\"completed\"") + " 1",
            name("last_success_timestamp_seconds", "") + " 1785365519",
            name("rows_registered", "") + " count=1 mean=1000 p50=1000 p99=1000 max=1000",
            name("stage_duration", ",stage=\"copy\",status=\"success\"")
                + " count=1 mean=0.250 p50=0.250 p99=0.250 max=0.250",
            name("stale", ",stage=\"publish\"") + " 1",
            name("started", "") + " 1",
            name("verification", ",check=\"row_count\",status=\"passed\"") + " 1",
            "sluice_commit_attempts{lake=\"public\"} 2",
            "sluice_commit_conflicts{lake=\"public\"} 1",
            "sluice_commit_duration_seconds{lake=\"public\"} count=1 mean=0.020 p50=0.020"
                + " p99=0.020 max=0.020");
  }

  @Test
  void tagValuesAreEscapedAndNothingIsPrintedWithoutMetrics() {
    assertThat(printed()).isEmpty();
    metrics.started(WorkflowPath.REGISTER, new SourceRef(1, "a\"b\\c\nd"));

    assertThat(metrics.registry().getCounters().firstKey())
        .isEqualTo(
            "ducklake_register_data_imports_started{team_id=\"1\",schema_id=\"a\\\"b\\\\c\\nd\"}");
  }

  @Test
  void theLastSuccessIsTheNewestValue() {
    metrics.published(WorkflowPath.REGISTER, SOURCE, 1, 1, 1, Instant.ofEpochSecond(10));
    metrics.published(WorkflowPath.REGISTER, SOURCE, 1, 1, 1, Instant.ofEpochSecond(20));

    assertThat(printed()).contains(name("last_success_timestamp_seconds", "") + " 20");
  }

  private List<String> printed() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    metrics.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static String name(String metric, String more) {
    return "ducklake_register_data_imports_"
        + metric
        + "{team_id=\"2\",schema_id=\"s-1\""
        + more
        + "}";
  }

  @Test
  void copiesHaveNamesOfTheirOwnAndCountAttemptsByTeam() {
    metrics.started(WorkflowPath.COPY, SOURCE);
    metrics.published(WorkflowPath.COPY, SOURCE, 3, 1000, 4096, Instant.ofEpochSecond(10));

    assertThat(metrics.registry().getCounters().keySet())
        .containsExactly(
            "ducklake_copy_data_imports_started{team_id=\"%d\"}".formatted(SOURCE.team()));
    assertThat(metrics.registry().getHistograms().keySet())
        .extracting(name -> name.substring(0, name.indexOf('{')))
        .containsExactly(
            "ducklake_copy_data_imports_data_bytes_copied",
            "ducklake_copy_data_imports_data_files_copied",
            "ducklake_copy_data_imports_rows_copied");
  }
}
