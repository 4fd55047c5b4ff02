package dev.sluice.worker.bench;

import dev.sluice.activities.lake.InsertRequest;
import dev.sluice.activities.lake.LakeTables;
import dev.sluice.activities.lake.RowSource;
import dev.sluice.activities.lake.WriteSettings;
import dev.sluice.activities.query.LocalDataFiles;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** Our inserts of a Parquet file's rows. */
final class OurInserts extends WriteBenchSide {

  private final OurLake lake;
  private final LakeTables tables;
  private final RowSource source;
  private final List<ColumnSpec> columns;

  private OurInserts(
      BenchStack stack,
      OurLake lake,
      DuckLakeSession duckDb,
      Path source,
      List<ColumnSpec> columns) {
    super(duckDb, Path.of(lake.store().location().uri()));
    this.lake = lake;
    this.tables =
        new LakeTables(
            lake.catalog(),
            lake.store(),
            new LocalDataFiles(stack.folder().resolve("links")),
            WriteSettings.in(stack.folder().resolve("write")));
    this.source = new RowSource.Parquet(source);
    this.columns = columns;
  }

  static OurInserts of(BenchStack stack, Path source, List<ColumnSpec> columns)
      throws SQLException {
    OurLake lake = OurLake.make(stack);
    try {
      DuckLakeAttachment attachment =
          DuckLakeAttachment.of(stack.database(BenchStack.OURS), lake.store().location().uri());
      return new OurInserts(
          stack, lake, DuckLakeSession.open().attach(attachment), source, columns);
    } catch (SQLException | RuntimeException e) {
      lake.close();
      throw e;
    }
  }

  @Override
  void create(TableName table) {
    lake.catalog()
        .commit(
            CommitRequest.of(
                "benchmark",
                new CommitRequest.Base.Newest(),
                List.of(
                    new Change.CreateTable(table, columns, List.of(), Change.IfExists.REFUSE))));
  }

  @Override
  void insertInto(TableName table) {
    tables.insert(InsertRequest.of(table, source));
  }

  @Override
  public void close() throws SQLException {
    try (lake) {
      super.close();
    }
  }
}
