package dev.sluice.worker.bench;

import dev.sluice.catalog.TableName;
import dev.sluice.embedded.DuckLakeSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;

/** One of the two that insert the same rows, each into a lake of its own. Not thread-safe. */
abstract class WriteBenchSide implements AutoCloseable {

  private final DuckLakeSession duckDb;
  private final Path files;
  private int tables;

  /**
   * A side without tables.
   *
   * @param duckDb has the lake attached; closed with this
   * @param files the folder of the lake's files
   */
  WriteBenchSide(DuckLakeSession duckDb, Path files) {
    this.duckDb = duckDb;
    this.files = files;
  }

  /** Makes an empty table. */
  abstract void create(TableName table) throws SQLException;

  /** Inserts all rows. */
  abstract void insertInto(TableName table) throws SQLException;

  /**
   * Inserts all rows into a new table and has DuckDB count them. Then their files are removed: with
   * each further one that it keeps in memory the system takes longer to find room for the next.
   *
   * @return seconds of the insert
   * @throws IllegalStateException when there are other rows than were inserted
   */
  final double insert(long rows) throws SQLException {
    TableName table = new TableName("main", "written_" + tables++);
    create(table);
    Stopwatch watch = new Stopwatch();
    watch.time(() -> insertInto(table));
    long found =
        Long.parseLong(
            String.valueOf(duckDb.valueText("SELECT count(id) FROM %s".formatted(table))));
    if (found != rows) {
      throw BenchErrors.wrongCount("rows inserted", rows, found);
    }
    removeFiles();
    return watch.seconds();
  }

  private void removeFiles() {
    try (Stream<Path> all = Files.walk(files)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw BenchErrors.folder("removing files that were counted", e);
    }
  }

  @Override
  public void close() throws SQLException {
    duckDb.close();
  }
}
