package dev.sluice.worker.bench;

import dev.sluice.catalog.TableName;
import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Path;
import java.sql.SQLException;

/** DuckDB's own inserts of a Parquet file's rows, over a connection that stays open. */
final class DuckDbInserts extends WriteBenchSide {

  private final DuckLakeSession duckDb;
  private final String from;

  private DuckDbInserts(DuckLakeSession duckDb, Path files, Path source) {
    super(duckDb, files);
    this.duckDb = duckDb;
    this.from = "read_parquet('%s')".formatted(source);
  }

  static DuckDbInserts of(BenchStack stack, Path source) {
    return new DuckDbInserts(stack.duckDb(), Path.of(stack.duckDbRoot()), source);
  }

  @Override
  void create(TableName table) throws SQLException {
    duckDb.execute("CREATE TABLE %s AS FROM %s LIMIT 0".formatted(table, from));
  }

  @Override
  void insertInto(TableName table) throws SQLException {
    duckDb.execute("INSERT INTO %s FROM %s".formatted(table, from));
  }
}
