package dev.sluice.activities.lake;

import dev.sluice.activities.lake.TableWriter.RowIds;
import dev.sluice.activities.lake.WriteLoop.Job;
import dev.sluice.activities.lake.WriteLoop.Rebase;
import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.LakeRelations;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.TableRef;
import java.sql.SQLException;
import java.util.List;

/**
 * Writes tables of one lake. Each call is one snapshot or none; a write is planned on the newest
 * snapshot and planned again when somebody else's commit rules it out. Rows stream through an
 * embedded DuckDB with bounded memory. Thread-safe; every write has its own DuckDB.
 *
 * <p>Besides {@link WriteException} (nothing was written), methods throw what the catalog throws
 * ({@link dev.sluice.catalog.error.CatalogException}, which says whether the outcome is known), and
 * what reading and storing files throw ({@link dev.sluice.activities.query.QueryException}, {@link
 * dev.sluice.activities.storage.StorageException}).
 */
public final class LakeTables {

  private final Catalog catalog;
  private final DataFiles files;
  private final WriteLoop loop;

  /**
   * A writer of one lake.
   *
   * @param catalog the lake
   * @param store holds the lake's files: its location is the data path or a prefix of it
   * @param files reads them
   */
  public LakeTables(Catalog catalog, ObjectStore store, DataFiles files, WriteSettings settings) {
    this.catalog = catalog;
    this.files = files;
    this.loop = new WriteLoop(catalog, store, settings);
  }

  /**
   * Adds rows.
   *
   * @throws WriteException if a column or value does not fit the table
   * @throws dev.sluice.catalog.read.TableNotFoundException if there is no such table
   */
  public WriteResult insert(InsertRequest request) {
    String doing = WriteErrors.doing("insert into", request.table(), request.source());
    return loop.run(
        new Job(doing, request.table(), request.batchId(), request.note(), Rebase.SAME_LAYOUT),
        (engine, base, objects) -> {
          SourceRelation source = source(doing, engine, base, request.source());
          if (source.hasNoRows()) {
            return PlannedWrite.NOTHING;
          }
          ColumnFeeds feeds = ColumnFeeds.of(doing, base.table(), source, request.columns());
          TableWriter writer =
              new TableWriter(
                  doing, engine, base.table(), base.sortOrder(), base.options(), objects);
          List<NewDataFile> files;
          try {
            files = writer.write(feeds.rows(), RowIds.NEW);
          } catch (SQLException e) {
            throw feeds.explain(engine, e);
          }
          return new PlannedWrite(
              files.isEmpty()
                  ? List.of()
                  : List.of(new Change.AddDataFiles(TableRef.id(base.table().id()), files)),
              files,
              files.stream().mapToLong(NewDataFile::recordCount).sum(),
              0,
              0);
        });
  }

  /**
   * Deletes the rows that match. A repeat finds none and makes no snapshot.
   *
   * @throws WriteException if the condition is no expression over the table's columns
   */
  public WriteResult delete(TableName table, RowCondition condition, CommitNote note) {
    String doing = WriteErrors.doing("delete from", table);
    return change(
        doing, table, note, rows -> condition.isAll() ? rows.truncate() : rows.delete(condition));
  }

  /** Deletes all rows. The table, its columns and its history stay. */
  public WriteResult truncate(TableName table, CommitNote note) {
    return change(WriteErrors.doing("truncate", table), table, note, RowChanges::truncate);
  }

  /**
   * Gives the rows that match new values, in one snapshot and under their old row ids.
   *
   * @throws WriteException if an expression is none, or its value does not fit its column
   */
  public WriteResult update(UpdateRequest request) {
    return change(
        WriteErrors.doing("update", request.table()),
        request.table(),
        request.note(),
        rows -> rows.update(request.values(), request.condition()));
  }

  /**
   * Updates the rows whose key is there and adds the others, in one snapshot. A repeat changes
   * nothing and makes no snapshot.
   *
   * @throws WriteException if a key is NULL or given twice, or a value does not fit
   */
  public WriteResult upsert(UpsertRequest request) {
    String doing = WriteErrors.doing("upsert into", request.table(), request.source());
    return loop.run(
        new Job(doing, request.table(), request.batchId(), request.note(), Rebase.NEVER),
        (engine, base, objects) -> {
          SourceRelation source = source(doing, engine, base, request.source());
          if (source.hasNoRows()) {
            return PlannedWrite.NOTHING;
          }
          ColumnFeeds feeds = ColumnFeeds.of(doing, base.table(), source, List.of());
          RowChanges rows = new RowChanges(doing, catalog.reader(), files, engine, base, objects);
          return new Upsert(doing, engine, base.table(), feeds, request.keys(), rows)
              .plan(files, objects);
        });
  }

  private SourceRelation source(
      String doing, WriteEngine engine, WriteBase base, RowSource source) {
    return SourceRelation.of(
        doing,
        engine,
        source,
        select ->
            LakeRelations.define(
                engine.connection(), select, catalog.reader(), files, base.snapshot()));
  }

  /** Plans a change of rows that are there. */
  @FunctionalInterface
  private interface Rows {
    PlannedWrite plan(RowChanges rows) throws SQLException;
  }

  private WriteResult change(String doing, TableName table, CommitNote note, Rows rows) {
    return loop.run(
        new Job(doing, table, null, note, Rebase.NEVER),
        (engine, base, objects) ->
            rows.plan(new RowChanges(doing, catalog.reader(), files, engine, base, objects)));
  }
}
