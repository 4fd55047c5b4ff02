package dev.sluice.worker.bench;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.CatalogView;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Measures what a catalog that holds much costs a table that holds little: a commit to a table of
 * one file, and planning a filtered scan of it, beside the same in an empty catalog (field case
 * CAT-17); and listing thousands of tables and describing one (CLI-06).
 */
public final class CatalogBench {

  private static final String EMPTY = "empty";
  private static final String CROWDED = "crowded";
  private static final String WIDE = "wide";
  private static final TableName SMALL = new TableName("bench", "small");
  private static final String COLUMN = "k";
  private static final int WARM_UPS = 5;
  private static final int POOL = 2;
  private static final int ROWS = 100;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double HUNDREDTHS = 100;

  private final CatalogBenchPlan plan;
  private final Consumer<String> progress;
  private int publications;

  /**
   * Prepares a measurement.
   *
   * @param progress hears of each step in words
   */
  public CatalogBench(CatalogBenchPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /** Median milliseconds in the empty catalog and in the crowded one. */
  private record Pair(double empty, double crowded) {
    double ratio() {
      return crowded / empty;
    }
  }

  /**
   * Measures.
   *
   * @throws IllegalStateException when something fails or counts wrongly
   */
  public BenchReport run() {
    try (BenchStack stack = BenchStack.local()) {
      var database = stack.database(BenchStack.OURS);
      String root = stack.location("lakes").uri();
      for (String lake : List.of(EMPTY, CROWDED, WIDE)) {
        FilledCatalog.create(database, lake, root);
      }
      progress.accept("%d rows of another table's statistics".formatted(plan.statisticsRows()));
      FilledCatalog.addStatistics(database, CROWDED, plan.statisticsRows());
      progress.accept("%d tables".formatted(plan.tables()));
      FilledCatalog.addTables(database, WIDE, plan.tables());
      try (var pool = database.dataSource(POOL)) {
        Catalog empty = small(pool, EMPTY, root);
        Catalog crowded = small(pool, CROWDED, root);
        progress.accept("commits");
        Pair commits = pair(() -> publish(empty, root), () -> publish(crowded, root));
        progress.accept("filtered scans");
        Pair scans = pair(() -> scan(empty), () -> scan(crowded));
        progress.accept("listing and describing");
        return report(commits, scans, median(() -> list(pool)));
      }
    }
  }

  private Catalog small(DataSource pool, String lake, String root) {
    Catalog catalog = Catalog.open(pool, lake);
    commit(catalog, new Change.CreateSchema(SMALL.schema(), Change.IfExists.REFUSE));
    publish(catalog, root);
    return catalog;
  }

  private static void commit(Catalog catalog, Change change) {
    catalog.commit(CommitRequest.of("benchmark", new CommitRequest.Base.Newest(), List.of(change)));
  }

  /** A new generation of one file, so that the table stays one of one file. */
  private void publish(Catalog catalog, String root) {
    publications++;
    NewDataFile file =
        new NewDataFile(
            "%ssmall/%d.parquet".formatted(root, publications),
            ROWS,
            ROWS,
            null,
            new FileMapping.ByFieldId(),
            List.of(),
            List.of(
                new LeafStatistics(
                    List.of(COLUMN), ROWS, (long) ROWS, 0L, "1", "100", null, null)));
    commit(
        catalog,
        new Change.ReplaceContent(
            SMALL,
            List.of(ColumnSpec.of(COLUMN, Scalar.INT64)),
            List.of(),
            List.of(file),
            Change.SchemaPolicy.FAIL,
            Change.ForeignContent.REFUSE,
            null));
  }

  private static void scan(Catalog catalog) {
    CatalogReader reader = catalog.reader();
    Snapshot snapshot = reader.latest();
    Table table = reader.view(snapshot).table(SMALL);
    Predicate predicate =
        Predicate.compare(COLUMN, Predicate.Operator.EQUAL, new Literal(Scalar.INT64, "50"));
    requireCount("files", 1, reader.plan(snapshot, table, predicate).files().size());
  }

  /** As two commands would, each of which knows nothing yet. */
  private void list(DataSource pool) {
    CatalogReader lister = Catalog.open(pool, WIDE).reader();
    Snapshot snapshot = lister.latest();
    requireCount("tables", plan.tables(), lister.view(snapshot).tables().size());
    lister.totals(snapshot);
    CatalogReader describer = Catalog.open(pool, WIDE).reader();
    CatalogView view = describer.view(describer.latest());
    Table table = view.table(new TableName("main", "t" + plan.tables()));
    requireCount("columns", FilledCatalog.COLUMNS, table.columns().size());
    describer.plan(view.snapshot(), table, Predicate.all());
  }

  private static void requireCount(String what, long expected, long actual) {
    if (expected != actual) {
      throw BenchErrors.wrongCount(what, expected, actual);
    }
  }

  private Pair pair(Runnable inEmpty, Runnable inCrowded) {
    double[] empty = new double[plan.turns()];
    double[] crowded = new double[plan.turns()];
    for (int i = -WARM_UPS; i < plan.turns(); i++) {
      double one = millis(inEmpty);
      double other = millis(inCrowded);
      if (i >= 0) {
        empty[i] = one;
        crowded[i] = other;
      }
    }
    return new Pair(median(empty), median(crowded));
  }

  private double median(Runnable work) {
    double[] all = new double[plan.turns()];
    Arrays.setAll(all, i -> millis(work));
    return median(all);
  }

  private static double median(double[] all) {
    Arrays.sort(all);
    return all[all.length / 2];
  }

  private static double millis(Runnable work) {
    long begin = System.nanoTime();
    work.run();
    return (System.nanoTime() - begin) / NANOS_PER_MILLI;
  }

  private BenchReport report(Pair commits, Pair scans, double listing) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("benchmark", "catalog");
    tree.put("statisticsRows", plan.statisticsRows());
    tree.put("tables", plan.tables());
    tree.put("commitMillisEmpty", rounded(commits.empty()));
    tree.put("commitMillisCrowded", rounded(commits.crowded()));
    tree.put("commitRatio", rounded(commits.ratio()));
    tree.put("scanMillisEmpty", rounded(scans.empty()));
    tree.put("scanMillisCrowded", rounded(scans.crowded()));
    tree.put("scanRatio", rounded(scans.ratio()));
    tree.put("listAndDescribeMillis", rounded(listing));
    List<String> lines = new ArrayList<>();
    lines.add(
        "a table of one file, in an empty catalog and beside %d rows of statistics"
            .formatted(plan.statisticsRows()));
    lines.add(line("commit", commits));
    lines.add(line("planning a scan", scans));
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT, "%d tables listed, one described: %.0f ms", plan.tables(), listing));
    return new BenchReport(tree, lines);
  }

  private static String line(String what, Pair pair) {
    return String.format(
        Locale.ROOT,
        "%-16s%8.2f ms, %8.2f ms: %.2f times",
        what,
        pair.empty(),
        pair.crowded(),
        pair.ratio());
  }

  private static double rounded(double value) {
    return Math.round(value * HUNDREDTHS) / HUNDREDTHS;
  }
}
