package dev.sluice.worker.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.embedded.DuckDbReferee;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** All benchmarks run small, on either kind of storage, and say what they measured. */
class BenchmarksTest {

  @Test
  void registeringOnLocalDiskIsMeasuredAgainstAllFilesOfDuckDb() throws Exception {
    DuckDbReferee.assumeAvailable();

    BenchReport report =
        new RegisterBench(new RegisterPlan(20, 10, 5, Duration.ZERO, 20), step -> {}).run();

    assertThat(report.tree())
        .containsEntry("benchmark", "register")
        .containsEntry("files", 20)
        .containsEntry("columns", 10)
        .containsEntry("storage", "local")
        .containsKeys("landing", "inspectVerifyPublish", "timesFaster", "heapPeakBytes");
    assertThat(part(report, "addDataFiles"))
        .containsEntry("extrapolated", false)
        .containsEntry("measuredFiles", 20);
    assertThat(part(report, "publishingTransaction")).containsEntry("rows", 20L + 20L * 10);
    assertThat(report.lines())
        .anyMatch(line -> line.startsWith("landing "))
        .anyMatch(line -> line.startsWith("ducklake_add_data_files "))
        .anyMatch(line -> line.startsWith("heap "));
  }

  @Test
  void registeringOverASlowEndpointExtrapolatesDuckDbAndSaysSo() throws Exception {
    DuckDbReferee.assumeAvailable();

    BenchReport report =
        new RegisterBench(new RegisterPlan(12, 3, 5, Duration.ofMillis(1), 4), step -> {}).run();

    assertThat(report.tree()).containsEntry("storage", "s3").containsEntry("latencyMillis", 1L);
    assertThat(part(report, "addDataFiles"))
        .containsEntry("extrapolated", true)
        .containsEntry("measuredFiles", 4)
        .containsKey("measuredSecondsForHalf");
    assertThat(part(report, "endpoint"))
        .containsEntry("inspectCalls", Map.of("getBlob", 12L))
        .containsEntry("verifyCalls", Map.of("list", 1L));
    assertThat(report.lines()).anyMatch(line -> line.contains("extrapolated along its line"));
  }

  @Test
  void copyingIsMeasuredAgainstABareCopyAndDuckDbsOwnWay() throws Exception {
    DuckDbReferee.assumeAvailable();

    BenchReport report =
        new CopyBench(new RegisterPlan(9, 10, 50, Duration.ZERO, 9), 1, step -> {}).run();

    assertThat(report.tree())
        .containsEntry("benchmark", "copy")
        .containsEntry("files", 9)
        .containsEntry("storage", "local")
        .containsKeys("copySeconds", "bareCopySeconds", "timesBareCopy", "deltaScanSeconds");
    assertThat(report.lines()).anyMatch(line -> line.startsWith("all of it "));
  }

  @Test
  void copyingOverASlowEndpointIsMeasured() throws Exception {
    DuckDbReferee.assumeAvailable();

    BenchReport report =
        new CopyBench(new RegisterPlan(3, 4, 20, Duration.ofMillis(1), 3), 1, step -> {}).run();

    assertThat(report.tree()).containsEntry("storage", "s3").containsKey("timesBareCopy");
  }

  @Test
  void committingIsMeasuredWithoutAFailureOfOurs() throws Exception {
    DuckDbReferee.assumeAvailable();

    BenchReport report =
        new CommitBench(new CommitPlan(2, Duration.ofSeconds(1)), step -> {}).run();

    assertThat(report.tree()).containsEntry("benchmark", "commit").containsEntry("writers", 2);
    for (String kind : new String[] {"differentTables", "publications", "oneTable"}) {
      assertThat(part(report, kind)).containsKeys("ours", "extension", "timesFaster");
      Map<?, ?> ours =
          (Map<?, ?>) Objects.requireNonNull(part(report, kind).get("ours"), "our own figures");
      assertThat(ours.get("failures")).isEqualTo(0L);
    }
  }

  @Test
  void insertingIsMeasuredBesideDuckDbsInsert() {
    DuckDbReferee.assumeAvailable();

    BenchReport report = new WriteBench(new WriteBenchPlan(5_000, 2), step -> {}).run();

    assertThat(report.tree())
        .containsEntry("benchmark", "write")
        .containsEntry("rows", 5_000L)
        .containsEntry("columns", 8)
        .containsKeys("seconds", "extensionSeconds", "timesFaster", "heapPeakBytes");
    assertThat(report.lines()).anyMatch(line -> line.startsWith("DuckDB's INSERT "));
  }

  @Test
  void planningIsMeasuredBesideDuckDbsQuery() {
    DuckDbReferee.assumeAvailable();

    BenchReport report = new ScanBench(new ScanBenchPlan(1_200, 2, 1), step -> {}).run();

    assertThat(report.tree())
        .containsEntry("benchmark", "scan")
        .containsEntry("files", 1_200)
        .containsKeys("medianMillis", "extensionMedianMillis", "timesFaster");
  }

  @Test
  void aFullCatalogIsMeasuredBesideAnEmptyOne() {
    BenchReport report = new CatalogBench(new CatalogBenchPlan(2_000, 30, 1), step -> {}).run();

    assertThat(report.tree())
        .containsEntry("benchmark", "catalog")
        .containsEntry("statisticsRows", 2_000)
        .containsEntry("tables", 30)
        .containsKeys("commitRatio", "scanRatio", "listAndDescribeMillis");
    assertThat(report.lines()).anyMatch(line -> line.startsWith("planning a scan "));
  }

  @Test
  void moreFilesForDuckDbThanForUsAreRefused() {
    assertThatThrownBy(() -> new RegisterPlan(10, 1, 1, Duration.ZERO, 11))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most as many files for DuckDB as for us");
  }

  @SuppressWarnings("unchecked") // the report's own maps
  private static Map<String, Object> part(BenchReport report, String name) {
    return (Map<String, Object>) Objects.requireNonNull(report.tree().get(name), name);
  }
}
