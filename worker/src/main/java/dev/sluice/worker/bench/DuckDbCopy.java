package dev.sluice.worker.bench;

import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.embedded.DuckDbExtension;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedStackException;
import java.sql.SQLException;
import java.util.Optional;

/** The same Delta table written into a lake by DuckDB alone: read it, create a table as that. */
final class DuckDbCopy {

  private DuckDbCopy() {}

  /**
   * Seconds of the statement and its commit.
   *
   * @param rows that the table must have afterwards
   * @return empty when DuckDB's delta extension is not to be had here
   */
  static Optional<Double> seconds(BenchStack stack, ObjectStore table, long rows) {
    Stopwatch watch = new Stopwatch();
    try (DuckLakeSession duckDb = stack.duckDb(DuckDbExtension.DELTA)) {
      String create =
          "CREATE TABLE copied AS FROM delta_scan('%s')"
              .formatted(table.location().uri().replace("'", "''"));
      watch.time(() -> duckDb.execute(create));
      long written =
          Long.parseLong(String.valueOf(duckDb.valueText("SELECT count(*) FROM copied")));
      if (written != rows) {
        throw BenchErrors.wrongCount("rows that DuckDB wrote", rows, written);
      }
      return Optional.of(watch.seconds());
    } catch (EmbeddedStackException notFetched) {
      return Optional.empty();
    } catch (SQLException e) {
      throw BenchErrors.database("copying a Delta table with DuckDB", e);
    }
  }
}
