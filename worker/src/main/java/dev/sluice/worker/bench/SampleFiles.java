package dev.sluice.worker.bench;

import dev.sluice.embedded.DuckLakeSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Small Parquet files of mixed columns, written by DuckDB, each with bounds of its own. */
final class SampleFiles {

  private static final int WRITERS = 2;

  /** How a column is made, and the Delta type of what comes out. */
  private record Column(String expression, String deltaType) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("i AS n%d", "long"),
          new Column("(i %% 1000)::INTEGER AS k%d", "integer"),
          new Column("i * 0.5::DOUBLE AS d%d", "double"),
          new Column("'value ' || (i %% 9973) AS s%d", "string"),
          new Column("TIMESTAMP '2024-01-01' + to_seconds(i) AS t%d", "timestamp_ntz"),
          new Column("DATE '2024-01-01' + (i %% 365)::INTEGER AS y%d", "date"),
          new Column("i %% 2 = 0 AS b%d", "boolean"),
          new Column("(i * 1.01)::DECIMAL(18, 2) AS m%d", "decimal(18,2)"),
          new Column("CASE WHEN i %% 7 = 0 THEN NULL ELSE i END AS o%d", "long"),
          new Column("'#' || i AS h%d", "string"));

  private SampleFiles() {}

  static String name(int file) {
    return String.format(Locale.ROOT, "part-%05d.parquet", file);
  }

  /** Writes the first files of the plan's sequence into a folder; the same call, the same files. */
  static void write(Path folder, int files, RegisterPlan plan) throws InterruptedException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw BenchErrors.folder("making a folder for files", e);
    }
    try (ExecutorService pool = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int first = writer;
        running.add(pool.submit(() -> writeEvery(folder, first, files, plan)));
      }
      for (Future<?> each : running) {
        try {
          each.get();
        } catch (ExecutionException e) {
          pool.shutdownNow();
          throw BenchErrors.failed("writing sample files", e);
        }
      }
    }
  }

  private static void writeEvery(Path folder, int first, int files, RegisterPlan plan) {
    String columns = columns(plan.columns());
    try (DuckLakeSession duckDb = DuckLakeSession.open(List.of())) {
      duckDb.execute("SET threads = 1");
      for (int file = first; file < files; file += WRITERS) {
        long from = (long) file * plan.rowsPerFile();
        duckDb.execute(
            "COPY (SELECT %s FROM range(%d, %d) AS r (i)) TO '%s' (FORMAT parquet)"
                .formatted(
                    columns,
                    from,
                    from + plan.rowsPerFile(),
                    folder.resolve(name(file)).toString().replace("'", "''")));
      }
    } catch (SQLException e) {
      throw BenchErrors.database("writing sample files", e);
    }
  }

  private static String columns(int count) {
    List<String> columns = new ArrayList<>();
    for (int column = 0; column < count; column++) {
      columns.add(expression(column));
    }
    return String.join(", ", columns);
  }

  private static String expression(int column) {
    return String.format(Locale.ROOT, COLUMNS.get(column % COLUMNS.size()).expression(), column);
  }

  /** Names of the first columns with their Delta types, in order. */
  static Map<String, String> deltaTypes(int count) {
    Map<String, String> types = new LinkedHashMap<>();
    for (int column = 0; column < count; column++) {
      String expression = expression(column);
      types.put(
          expression.substring(expression.lastIndexOf(' ') + 1),
          COLUMNS.get(column % COLUMNS.size()).deltaType());
    }
    return types;
  }
}
