package dev.sluice.worker.bench;

import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.embedded.DuckLakeSession;
import java.sql.SQLException;

/** The same files registered by DuckDB's own {@code ducklake_add_data_files}, from one glob. */
final class DuckDbRegistration implements AutoCloseable {

  private final DuckLakeSession duckDb;
  private int tables;

  DuckDbRegistration(BenchStack stack) {
    this.duckDb = stack.duckDb();
  }

  /**
   * Makes a table of the files' columns and adds all files of the store to it.
   *
   * @return seconds of the adding call alone, its commit included
   */
  double add(ObjectStore store, int files) {
    String table = "files_" + ++tables;
    Stopwatch watch = new Stopwatch();
    try {
      duckDb.execute(
          "CREATE TABLE %s AS FROM read_parquet('%s') LIMIT 0"
              .formatted(table, store.uri(SampleFiles.name(0)).replace("'", "''")));
      String call =
          "CALL ducklake_add_data_files('lake', '%s', '%s')"
              .formatted(table, store.uri("*.parquet").replace("'", "''"));
      watch.time(() -> duckDb.execute(call));
      long registered =
          Long.parseLong(
              String.valueOf(
                  duckDb.valueText(
                      "SELECT count(*) FROM ducklake_list_files('lake', '%s')".formatted(table))));
      if (registered != files) {
        throw BenchErrors.wrongCount("files that DuckDB registered", files, registered);
      }
    } catch (SQLException e) {
      throw BenchErrors.database("ducklake_add_data_files", e);
    }
    return watch.seconds();
  }

  /** Puts the first files of the sequence into a store of their own. */
  static void copyFirst(ObjectStore source, ObjectStore target, int files) {
    for (int file = 0; file < files; file++) {
      String name = SampleFiles.name(file);
      ObjectInfo listed = source.head(name);
      target.copyFrom(source, listed, name, TransferMonitor.NONE);
    }
  }

  @Override
  public void close() {
    try {
      duckDb.close();
    } catch (SQLException e) {
      throw BenchErrors.database("closing DuckDB", e);
    }
  }
}
