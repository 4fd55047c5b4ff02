package dev.sluice.worker.bench;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.embedded.DuckLakeSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures inserts of the same rows into a lake of ours and into one of DuckDB's, on the same
 * PostgreSQL and the same disk, in turns. The rows come from one Parquet file that is written
 * before.
 */
public final class WriteBench {

  private static final List<ColumnSpec> COLUMNS =
      List.of(
          ColumnSpec.of("id", Scalar.INT64),
          ColumnSpec.of("kind", Scalar.INT32),
          ColumnSpec.of("name", Scalar.VARCHAR),
          ColumnSpec.of("amount", new Decimal(12, 2)),
          ColumnSpec.of("share", Scalar.FLOAT64),
          ColumnSpec.of("day", Scalar.DATE),
          ColumnSpec.of("moment", Scalar.TIMESTAMP),
          ColumnSpec.of("done", Scalar.BOOLEAN));

  private static final double MEBIBYTE = 1 << 20;
  private static final double THOUSAND = 1000;

  private final WriteBenchPlan plan;
  private final Consumer<String> progress;

  /**
   * Prepares a measurement.
   *
   * @param progress hears of each step in words
   */
  public WriteBench(WriteBenchPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  private record Figures(double ourSeconds, double theirSeconds, long heapBytes, double bytes) {}

  /**
   * Measures.
   *
   * @throws IllegalStateException when a side fails or has other rows than were inserted
   */
  public BenchReport run() {
    try (BenchStack stack = BenchStack.local()) {
      Path source = writeSource(stack);
      try (WriteBenchSide ours = OurInserts.of(stack, source, COLUMNS);
          WriteBenchSide theirs = DuckDbInserts.of(stack, source)) {
        return report(measure(ours, theirs, Files.size(source)));
      }
    } catch (SQLException e) {
      throw BenchErrors.database("inserting", e);
    } catch (IOException e) {
      throw BenchErrors.folder("measuring the rows' file", e);
    }
  }

  private String rows() {
    return ("SELECT i AS id, (i %% 1000)::INTEGER AS kind, 'name ' || hash(i) %% 1000000 AS name,"
            + " (hash(i) %% 100000000 / 100)::DECIMAL(12,2) AS amount,"
            + " hash(i + 1) / 18446744073709551616::DOUBLE AS share,"
            + " DATE '2020-01-01' + (i %% 2000)::INTEGER AS day,"
            + " TIMESTAMP '2020-01-01' + to_microseconds(i * 37000) AS moment,"
            + " i %% 3 = 0 AS done FROM range(%d) r(i)")
        .formatted(plan.rows());
  }

  private Path writeSource(BenchStack stack) throws SQLException {
    progress.accept("writing the rows' file");
    Path source = stack.folder().resolve("rows.parquet");
    try (DuckLakeSession duckDb = DuckLakeSession.open(List.of())) {
      duckDb.execute("COPY (%s) TO '%s' (FORMAT parquet)".formatted(rows(), source));
    }
    return source;
  }

  private Figures measure(WriteBenchSide ours, WriteBenchSide theirs, long bytes)
      throws SQLException {
    progress.accept("warming up");
    ours.insert(plan.rows());
    theirs.insert(plan.rows());
    double[] ourSeconds = new double[plan.rounds()];
    double[] theirSeconds = new double[plan.rounds()];
    try (HeapWatch heap = HeapWatch.start()) {
      for (int round = 0; round < plan.rounds(); round++) {
        progress.accept("round %d of %d".formatted(round + 1, plan.rounds()));
        if (round % 2 == 0) {
          ourSeconds[round] = ours.insert(plan.rows());
          theirSeconds[round] = theirs.insert(plan.rows());
        } else {
          theirSeconds[round] = theirs.insert(plan.rows());
          ourSeconds[round] = ours.insert(plan.rows());
        }
      }
      return new Figures(median(ourSeconds), median(theirSeconds), heap.peakBytes(), bytes);
    }
  }

  private static double median(double[] all) {
    Arrays.sort(all);
    return all[all.length / 2];
  }

  private BenchReport report(Figures figures) {
    double faster = figures.theirSeconds() / figures.ourSeconds();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("benchmark", "write");
    tree.put("rows", plan.rows());
    tree.put("columns", COLUMNS.size());
    tree.put("rounds", plan.rounds());
    tree.put("seconds", rounded(figures.ourSeconds()));
    tree.put("extensionSeconds", rounded(figures.theirSeconds()));
    tree.put("timesFaster", rounded(faster));
    tree.put("heapPeakBytes", figures.heapBytes());
    List<String> lines = new ArrayList<>();
    lines.add(
        line(
            "inserting %d rows of %d columns, %.1f MiB of Parquet, local disk",
            plan.rows(), COLUMNS.size(), figures.bytes() / MEBIBYTE));
    lines.add("");
    lines.add(side("ours", figures.ourSeconds()));
    lines.add(side("DuckDB's INSERT", figures.theirSeconds()));
    lines.add(line("%-18s%8.2f times", "faster", faster));
    lines.add(line("%-18s%8.0f MiB at most", "heap", figures.heapBytes() / MEBIBYTE));
    return new BenchReport(tree, lines);
  }

  private String side(String who, double seconds) {
    return line("%-18s%8.2f s, %.2f million rows/s", who, seconds, plan.rows() / seconds / 1e6);
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static double rounded(double value) {
    return Math.round(value * THOUSAND) / THOUSAND;
  }
}
