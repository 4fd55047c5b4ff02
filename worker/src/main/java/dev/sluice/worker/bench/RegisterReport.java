package dev.sluice.worker.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Puts the register benchmark's figures into words and into a tree. */
final class RegisterReport {

  private static final double MEBIBYTE = 1024 * 1024;
  private static final double THOUSAND = 1000;

  private RegisterReport() {}

  static BenchReport of(RegisterPlan plan, RegisterFigures figures) {
    return new BenchReport(tree(plan, figures), lines(plan, figures));
  }

  private static Map<String, Object> tree(RegisterPlan plan, RegisterFigures figures) {
    double ours = figures.registeringSeconds();
    double theirs = figures.duckDbSecondsForAll(plan);
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("benchmark", "register");
    tree.put("files", plan.files());
    tree.put("columns", plan.columns());
    tree.put("rowsPerFile", plan.rowsPerFile());
    tree.put("bytes", figures.bytes);
    tree.put("storage", plan.onS3() ? "s3" : "local");
    tree.put("latencyMillis", plan.latency().toMillis());
    tree.put(
        "landing",
        ratio("seconds", figures.landing.seconds(), "bareCopySeconds", figures.bareCopy.seconds()));
    Map<String, Object> registering = new LinkedHashMap<>();
    registering.put("seconds", rounded(ours));
    registering.put("inspectSeconds", rounded(figures.inspect.seconds()));
    registering.put("verifySeconds", rounded(figures.verify.seconds()));
    registering.put("publishSeconds", rounded(figures.publish.seconds()));
    registering.put("filesPerSecond", rounded(plan.files() / ours));
    registering.put("rowsPerSecond", rounded((double) plan.files() * plan.rowsPerFile() / ours));
    tree.put("inspectVerifyPublish", registering);
    Map<String, Object> duckDb = new LinkedHashMap<>();
    duckDb.put("seconds", rounded(theirs));
    duckDb.put("extrapolated", plan.extrapolates());
    duckDb.put("measuredFiles", plan.duckDbFiles());
    duckDb.put("measuredSeconds", rounded(figures.duckDbSeconds));
    if (plan.extrapolates()) {
      duckDb.put("measuredSecondsForHalf", rounded(figures.duckDbHalfSeconds));
    }
    duckDb.put("filesPerSecond", rounded(plan.files() / theirs));
    tree.put("addDataFiles", duckDb);
    tree.put("timesFaster", rounded(theirs / ours));
    Map<String, Object> transaction =
        ratio("seconds", figures.transactionSeconds, "bareCopySeconds", figures.bareRowsSeconds);
    transaction.put("rows", figures.rows);
    transaction.put("rowsPerSecond", rounded(figures.rows / figures.transactionSeconds));
    tree.put("publishingTransaction", transaction);
    tree.put("heapPeakBytes", figures.heapPeakBytes);
    tree.put("heapAfterCollectionBytes", figures.heapKeptBytes);
    if (plan.onS3()) {
      Map<String, Object> endpoint = new LinkedHashMap<>();
      endpoint.put("bareTailReadsSeconds", rounded(figures.tails.seconds()));
      endpoint.put("bareListingSeconds", rounded(figures.listing.seconds()));
      endpoint.put("secondsForOurRequests", rounded(figures.endpointSeconds()));
      endpoint.put("fasterThanDuckDbAlone", rounded(theirs / figures.endpointSeconds()));
      endpoint.put("timesThat", rounded(ours / figures.endpointSeconds()));
      endpoint.put("processorSeconds", rounded(figures.endpointProcessorSeconds));
      endpoint.put("ourProcessorSeconds", rounded(figures.ourProcessorSeconds));
      endpoint.put("inspectCalls", figures.inspectCalls);
      endpoint.put("verifyCalls", figures.verifyCalls);
      endpoint.put("publishCalls", figures.publishCalls);
      endpoint.put("addDataFilesCalls", figures.duckDbCalls);
      tree.put("endpoint", endpoint);
    }
    return tree;
  }

  private static Map<String, Object> ratio(String one, double ones, String other, double others) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put(one, rounded(ones));
    tree.put(other, rounded(others));
    tree.put("ratio", rounded(ones / others));
    return tree;
  }

  private static double rounded(double value) {
    return Math.round(value * THOUSAND) / THOUSAND;
  }

  private static List<String> lines(RegisterPlan plan, RegisterFigures figures) {
    double ours = figures.registeringSeconds();
    double theirs = figures.duckDbSecondsForAll(plan);
    List<String> lines = new ArrayList<>();
    lines.add(
        line(
            "%d files of %d columns and %d rows, %.1f MiB, %s; PostgreSQL with"
                + " synchronous_commit=on",
            plan.files(),
            plan.columns(),
            plan.rowsPerFile(),
            figures.bytes / MEBIBYTE,
            plan.onS3()
                ? "S3 endpoint with " + plan.latency().toMillis() + " ms added to each request"
                : "local disk"));
    lines.add("");
    lines.add(
        line(
            "landing                          %9.2f s   bare copy %.2f s   %.2f times",
            figures.landing.seconds(),
            figures.bareCopy.seconds(),
            figures.landing.seconds() / figures.bareCopy.seconds()));
    lines.add(line("inspect                          %9.2f s", figures.inspect.seconds()));
    lines.add(line("verify                           %9.2f s", figures.verify.seconds()));
    lines.add(line("publish                          %9.2f s", figures.publish.seconds()));
    lines.add(
        line(
            "publishing transaction           %9.2f s   bare COPY of its %d rows %.2f s: %.1f times"
                + " (the shortest of each)",
            figures.transactionSeconds,
            figures.rows,
            figures.bareRowsSeconds,
            figures.transactionSeconds / figures.bareRowsSeconds));
    lines.add(
        line(
            "inspect + verify + publish       %9.2f s   %.0f files/s, %.0f rows/s",
            ours, plan.files() / ours, (double) plan.files() * plan.rowsPerFile() / ours));
    lines.add(
        line(
            "ducklake_add_data_files          %9.2f s   %.0f files/s%s",
            theirs, plan.files() / theirs, extrapolation(plan, figures)));
    lines.add(line("faster than DuckDB               %9.1f times", theirs / ours));
    lines.add(
        line(
            "heap                             %9.0f MiB at most, %.0f MiB after collections",
            figures.heapPeakBytes / MEBIBYTE, figures.heapKeptBytes / MEBIBYTE));
    if (plan.onS3()) {
      lines.add(
          line(
              "the endpoint itself              %9.2f s   for the same requests with nothing done with"
                  + " them: the end of each landed file %.2f s, listing the source and what has"
                  + " landed %.2f s; ours takes %.2f times that, and these alone are %.1f times"
                  + " faster than DuckDB",
              figures.endpointSeconds(),
              figures.tails.seconds(),
              figures.listing.seconds(),
              ours / figures.endpointSeconds(),
              theirs / figures.endpointSeconds()));
      lines.add(
          line(
              "processor time                   %9.2f s   of one core for the endpoint while we"
                  + " inspected, verified and published, %.2f s for us",
              figures.endpointProcessorSeconds, figures.ourProcessorSeconds));
      lines.add("calls of inspect " + figures.inspectCalls + ", verify " + figures.verifyCalls);
      lines.add("calls of publish " + figures.publishCalls);
      lines.add(
          "calls of ducklake_add_data_files, "
              + plan.duckDbFiles()
              + " files "
              + figures.duckDbCalls);
    }
    return lines;
  }

  private static String extrapolation(RegisterPlan plan, RegisterFigures figures) {
    return plan.extrapolates()
        ? line(
            ", extrapolated along its line: %d files took %.2f s, %d took %.2f s",
            Math.max(1, plan.duckDbFiles() / 2),
            figures.duckDbHalfSeconds,
            plan.duckDbFiles(),
            figures.duckDbSeconds)
        : "";
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
