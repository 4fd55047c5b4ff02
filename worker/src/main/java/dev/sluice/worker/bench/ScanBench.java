package dev.sluice.worker.bench;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanPlan;
import dev.sluice.embedded.DuckLakeAttachment;
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
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures how long it takes to find out which files a query for one value has to read, ours and
 * the extension's on the very same catalog. Only the file that holds the value exists.
 */
public final class ScanBench {

  private static final String METADATA_SCHEMA = "public";
  private static final TableName TABLE = new TableName("bench", "files");
  private static final int FILES_PER_COMMIT = 10_000;
  private static final int ROWS_PER_FILE = 100;
  private static final int WARM_UPS = 3;
  private static final int POOL = 2;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double TENTHS = 10;

  private final ScanBenchPlan plan;
  private final Consumer<String> progress;
  private long wantedBytes;

  /**
   * Prepares a measurement.
   *
   * @param progress hears of each step in words
   */
  public ScanBench(ScanBenchPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /** A side's plan for one value; answers the number of files that are left. */
  private interface Planning {
    long files() throws SQLException;
  }

  /** Milliseconds of the first plan and of the median one. */
  private record Times(double first, double median) {}

  /**
   * Measures.
   *
   * @throws IllegalStateException when a side fails or keeps more files than the one
   */
  public BenchReport run() {
    try (BenchStack stack = BenchStack.local()) {
      String root = stack.location("our-lake").uri();
      writeWanted(root);
      Catalog.create(stack.database(BenchStack.OURS).dataSource(), METADATA_SCHEMA, root);
      try (var pool = stack.database(BenchStack.OURS).dataSource(POOL)) {
        fill(Catalog.open(pool, METADATA_SCHEMA), root);
        // ours anew, as a process that has just begun
        Times ours = times("planning", new Ours(Catalog.open(pool, METADATA_SCHEMA)));
        try (DuckLakeSession duckDb =
            DuckLakeSession.open()
                .attach(DuckLakeAttachment.of(stack.database(BenchStack.OURS), root))) {
          return report(ours, times("planning by DuckDB", new DuckDbs(duckDb)));
        }
      }
    } catch (SQLException e) {
      throw BenchErrors.database("planning", e);
    }
  }

  private int wantedFile() {
    return plan.files() / 2;
  }

  private long wanted() {
    return (long) wantedFile() * ROWS_PER_FILE;
  }

  private void writeWanted(String root) throws SQLException {
    String columns =
        IntStream.range(0, plan.columns())
            .mapToObj(i -> "range AS " + column(i))
            .collect(Collectors.joining(", "));
    String ids =
        IntStream.range(0, plan.columns())
            .mapToObj(i -> "%s: %d".formatted(column(i), i + 1))
            .collect(Collectors.joining(", "));
    Path file = Path.of(path(root, wantedFile()));
    try (DuckLakeSession duckDb = DuckLakeSession.open(List.of())) {
      Files.createDirectories(Objects.requireNonNull(file.getParent(), "a file lies in a folder"));
      duckDb.execute(
          "COPY (SELECT %s FROM range(%d, %d)) TO '%s' (FORMAT parquet, FIELD_IDS {%s})"
              .formatted(columns, wanted(), wanted() + ROWS_PER_FILE, file, ids));
      wantedBytes = Files.size(file);
    } catch (IOException e) {
      throw BenchErrors.folder("writing the file that is looked for", e);
    }
  }

  private static String path(String root, int number) {
    return "%sbench/files/part-%06d.parquet".formatted(root, number);
  }

  private final class Ours implements Planning {
    private final CatalogReader reader;

    Ours(Catalog catalog) {
      this.reader = catalog.reader();
    }

    @Override
    public long files() {
      Table table = reader.view(reader.latest()).table(TABLE);
      ScanPlan found =
          reader.plan(
              reader.latest(),
              table,
              Predicate.compare(
                  column(0),
                  Predicate.Operator.EQUAL,
                  new Literal(Scalar.INT64, Long.toString(wanted()))));
      return found.files().size();
    }
  }

  private final class DuckDbs implements Planning {
    private final DuckLakeSession session;

    DuckDbs(DuckLakeSession session) {
      this.session = session;
    }

    /** The whole query: the extension plans when it reads, and the one file is small. */
    @Override
    public long files() throws SQLException {
      String found =
          session.valueText(
              "SELECT count(*) FROM %s WHERE %s = %d".formatted(TABLE, column(0), wanted()));
      return Long.parseLong(String.valueOf(found));
    }
  }

  private Times times(String what, Planning planning) throws SQLException {
    progress.accept(what);
    double first = millis(planning);
    for (int i = 0; i < WARM_UPS; i++) {
      millis(planning);
    }
    double[] all = new double[plan.turns()];
    for (int i = 0; i < all.length; i++) {
      all[i] = millis(planning);
    }
    Arrays.sort(all);
    return new Times(first, all[all.length / 2]);
  }

  private static double millis(Planning planning) throws SQLException {
    long begin = System.nanoTime();
    long files = planning.files();
    double millis = (System.nanoTime() - begin) / NANOS_PER_MILLI;
    if (files != 1) {
      throw BenchErrors.wrongCount("files that may hold the value", 1, files);
    }
    return millis;
  }

  private void fill(Catalog catalog, String root) {
    List<ColumnSpec> columns =
        IntStream.range(0, plan.columns())
            .mapToObj(i -> ColumnSpec.of(column(i), Scalar.INT64))
            .toList();
    commit(catalog, new Change.CreateSchema(TABLE.schema(), Change.IfExists.REFUSE));
    commit(catalog, new Change.CreateTable(TABLE, columns, List.of(), Change.IfExists.REFUSE));
    for (int begin = 0; begin < plan.files(); begin += FILES_PER_COMMIT) {
      progress.accept("registering files from %d on".formatted(begin));
      List<NewDataFile> files = new ArrayList<>();
      for (int i = begin; i < Math.min(plan.files(), begin + FILES_PER_COMMIT); i++) {
        files.add(file(root, i));
      }
      commit(catalog, new Change.AddDataFiles(new TableRef.ByName(TABLE), files));
    }
  }

  /** A file whose columns all hold the same hundred numbers in a row. */
  private NewDataFile file(String root, int number) {
    String min = Long.toString((long) number * ROWS_PER_FILE);
    String max = Long.toString((long) number * ROWS_PER_FILE + ROWS_PER_FILE - 1);
    List<LeafStatistics> statistics =
        IntStream.range(0, plan.columns())
            .mapToObj(
                i ->
                    new LeafStatistics(
                        List.of(column(i)), 1000, (long) ROWS_PER_FILE, 0L, min, max, null, null))
            .toList();
    return new NewDataFile(
        path(root, number),
        ROWS_PER_FILE,
        wantedBytes,
        null,
        new FileMapping.ByFieldId(),
        List.of(),
        statistics);
  }

  private static String column(int index) {
    return "c" + index;
  }

  private static void commit(Catalog catalog, Change change) {
    catalog.commit(CommitRequest.of("benchmark", new CommitRequest.Base.Newest(), List.of(change)));
  }

  private BenchReport report(Times ours, Times theirs) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("benchmark", "scan");
    tree.put("files", plan.files());
    tree.put("columns", plan.columns());
    tree.put("firstMillis", rounded(ours.first()));
    tree.put("medianMillis", rounded(ours.median()));
    tree.put("extensionFirstMillis", rounded(theirs.first()));
    tree.put("extensionMedianMillis", rounded(theirs.median()));
    tree.put("timesFaster", rounded(theirs.median() / ours.median()));
    List<String> lines = new ArrayList<>();
    lines.add(
        "planning %s = %d over %d files of %d columns; one is left"
            .formatted(column(0), wanted(), plan.files(), plan.columns()));
    lines.add("");
    lines.add(line("ours", ours));
    lines.add(line("DuckDB, the query", theirs));
    lines.add(
        String.format(Locale.ROOT, "%-18s%10.1f times", "faster", theirs.median() / ours.median()));
    return new BenchReport(tree, lines);
  }

  private static String line(String who, Times times) {
    return String.format(
        Locale.ROOT, "%-18s%10.1f ms, the first time %.1f ms", who, times.median(), times.first());
  }

  private static double rounded(double value) {
    return Math.round(value * TENTHS) / TENTHS;
  }
}
