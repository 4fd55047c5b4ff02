package dev.sluice.worker.bench;

import dev.sluice.worker.bench.WriterCrowd.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Puts the commit benchmark's figures into words and into a tree. */
final class CommitReport {

  private static final double TENTHS = 10;

  private CommitReport() {}

  static BenchReport of(CommitPlan plan, CommitFigures figures) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("benchmark", "commit");
    tree.put("writers", plan.writers());
    tree.put("seconds", plan.duration().toSeconds());
    tree.put("differentTables", pair(figures.appends(), figures.inserts()));
    tree.put("publications", pair(figures.publications(), figures.replacements()));
    tree.put("oneTable", pair(figures.oneTable(), figures.oneTableReplacements()));

    List<String> lines = new ArrayList<>();
    lines.add(
        "%d writers, %d s each; PostgreSQL with synchronous_commit=on"
            .formatted(plan.writers(), plan.duration().toSeconds()));
    lines.add("");
    lines.add(line("appends, different tables", "ours", figures.appends()));
    lines.add(line("", "INSERT", figures.inserts()));
    lines.add(times(figures.appends(), figures.inserts()));
    lines.add(line("publications, different tables", "ours", figures.publications()));
    lines.add(line("", "CREATE OR REPLACE", figures.replacements()));
    lines.add(times(figures.publications(), figures.replacements()));
    lines.add(line("publications, one table", "ours", figures.oneTable()));
    lines.add(line("", "CREATE OR REPLACE", figures.oneTableReplacements()));
    lines.add(times(figures.oneTable(), figures.oneTableReplacements()));
    return new BenchReport(tree, lines);
  }

  private static Map<String, Object> pair(Outcome ours, Outcome theirs) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("ours", outcome(ours));
    tree.put("extension", outcome(theirs));
    tree.put("timesFaster", rounded(ours.perSecond() / theirs.perSecond()));
    return tree;
  }

  private static Map<String, Object> outcome(Outcome outcome) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("commits", outcome.commits());
    tree.put("commitsPerSecond", rounded(outcome.perSecond()));
    tree.put("failures", outcome.failures());
    if (outcome.firstFailure() != null) {
      tree.put("firstFailure", outcome.firstFailure());
    }
    return tree;
  }

  private static double rounded(double value) {
    return Math.round(value * TENTHS) / TENTHS;
  }

  private static String line(String what, String who, Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "%-32s%-18s%9.1f commits/s  %d commits, %d failures",
        what,
        who,
        outcome.perSecond(),
        outcome.commits(),
        outcome.failures());
  }

  private static String times(Outcome ours, Outcome theirs) {
    return String.format(
        Locale.ROOT, "%-32s%-18s%9.1f", "", "times", ours.perSecond() / theirs.perSecond());
  }
}
