package dev.sluice.worker.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Puts the figures of the copy benchmark into words and into a tree. */
final class CopyReport {

  private static final double MEBIBYTE = 1024.0 * 1024.0;
  private static final double THOUSAND = 1000.0;

  private CopyReport() {}

  static BenchReport of(RegisterPlan plan, CopyFigures figures) {
    return new BenchReport(tree(plan, figures), lines(plan, figures));
  }

  private static Map<String, Object> tree(RegisterPlan plan, CopyFigures figures) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("benchmark", "copy");
    tree.put("files", plan.files());
    tree.put("columns", plan.columns());
    tree.put("rowsPerFile", plan.rowsPerFile());
    tree.put("bytes", figures.bytes);
    tree.put("storage", plan.onS3() ? "s3" : "local");
    tree.put("latencyMillis", plan.latency().toMillis());
    tree.put("prepareSeconds", rounded(figures.secondsOf(figures.prepare)));
    tree.put("landingSeconds", rounded(figures.secondsOf(figures.landing)));
    tree.put("inspectSeconds", rounded(figures.secondsOf(figures.inspect)));
    tree.put("verifySeconds", rounded(figures.secondsOf(figures.verify)));
    tree.put("publishSeconds", rounded(figures.secondsOf(figures.publish)));
    tree.put("copySeconds", rounded(figures.copySeconds()));
    tree.put("bareCopySeconds", rounded(figures.bareCopySeconds()));
    tree.put("timesBareCopy", rounded(figures.timesBareCopy()));
    figures.duckDbSeconds.ifPresent(
        seconds -> {
          tree.put("deltaScanSeconds", rounded(seconds));
          tree.put("timesFaster", rounded(seconds / figures.copySeconds()));
        });
    tree.put("heapPeakBytes", figures.heapPeakBytes);
    return tree;
  }

  private static List<String> lines(RegisterPlan plan, CopyFigures figures) {
    double ours = figures.copySeconds();
    double bare = figures.bareCopySeconds();
    List<String> lines = new ArrayList<>();
    lines.add(
        line(
            "a Delta table of %d files of %d columns and %d rows, %.1f MiB, %s; PostgreSQL with"
                + " synchronous_commit=on",
            plan.files(),
            plan.columns(),
            plan.rowsPerFile(),
            figures.bytes / MEBIBYTE,
            plan.onS3()
                ? "S3 endpoint with %d ms added to each request"
                    .formatted(plan.latency().toMillis())
                : "local disk"));
    lines.add("");
    lines.add(line("read the log, plan    %9.2f s", figures.secondsOf(figures.prepare)));
    lines.add(line("land                  %9.2f s", figures.secondsOf(figures.landing)));
    lines.add(line("inspect               %9.2f s", figures.secondsOf(figures.inspect)));
    lines.add(line("verify                %9.2f s", figures.secondsOf(figures.verify)));
    lines.add(line("publish               %9.2f s", figures.secondsOf(figures.publish)));
    lines.add(
        line(
            "all of it             %9.2f s   %.0f MiB/s; bare copy of the same objects %.2f s: %.2f"
                + " times",
            ours, figures.bytes / MEBIBYTE / ours, bare, figures.timesBareCopy()));
    lines.add(
        figures
            .duckDbSeconds
            .map(
                seconds ->
                    line(
                        "CREATE TABLE AS FROM delta_scan %.2f s; ours is %.1f times faster",
                        seconds, seconds / ours))
            .orElse("DuckDB's delta extension is not to be had here, so it was not measured"));
    lines.add(line("heap                  %9.0f MiB at most", figures.heapPeakBytes / MEBIBYTE));
    return lines;
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static double rounded(double value) {
    return Math.round(value * THOUSAND) / THOUSAND;
  }
}
