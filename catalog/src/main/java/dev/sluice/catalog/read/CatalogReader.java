package dev.sluice.catalog.read;

import dev.sluice.catalog.Partitioning;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.catalog.internal.LakeDatabase;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/**
 * Reads a lake's catalog. Every call is one read-only transaction that sees one state. Thread-safe.
 *
 * <p>All methods throw {@link CatalogException} when the database fails; none answers with nothing
 * instead.
 */
public final class CatalogReader {

  /** Enough for a reader at the latest snapshot and a few that travel in time. */
  private static final int CACHED_VERSIONS = 16;

  private final LakeDatabase database;
  private final ContentsCache cache = new ContentsCache(CACHED_VERSIONS);

  /**
   * A reader of one lake.
   *
   * @param dataSource connections to the lake's PostgreSQL database; one at a time is used
   * @param metadataSchema the schema of the {@code ducklake_} tables, e.g. {@code public}
   */
  public CatalogReader(DataSource dataSource, String metadataSchema) {
    this.database = new LakeDatabase(dataSource, metadataSchema);
  }

  /** The newest snapshot. */
  public Snapshot latest() {
    Snapshot newest = database.read(this::latest);
    cache.newest(newest.id());
    return newest;
  }

  /**
   * The snapshot of that id.
   *
   * @throws SnapshotNotFoundException if it was never made or has expired; names those that exist
   */
  public Snapshot snapshot(long id) {
    return database.read(
        dsl ->
            SnapshotQueries.byId(dsl, id)
                .orElseThrow(() -> ReadErrors.noSnapshot(lake(), id, earliest(dsl), latest(dsl))));
  }

  /**
   * The snapshot that was the newest at that time; of several with one time the one with the
   * highest id.
   *
   * @throws SnapshotNotFoundException if all that exist are newer; names those that exist
   */
  public Snapshot snapshotAt(Instant time) {
    return database.read(
        dsl ->
            SnapshotQueries.at(dsl, time)
                .orElseThrow(
                    () -> ReadErrors.noSnapshotAt(lake(), time, earliest(dsl), latest(dsl))));
  }

  /**
   * The first snapshot that is not older than a time; of several with one time the one with the
   * lowest id.
   *
   * @throws SnapshotNotFoundException if all that exist are older; names those that exist
   */
  public Snapshot snapshotSince(Instant time) {
    return database.read(
        dsl ->
            SnapshotQueries.since(dsl, time)
                .orElseThrow(
                    () -> ReadErrors.noSnapshotSince(lake(), time, earliest(dsl), latest(dsl))));
  }

  /** All snapshots that exist, oldest first. */
  public List<SnapshotEntry> snapshots() {
    return database.read(SnapshotQueries::entries);
  }

  /**
   * The newest snapshots, newest first, with the names that their changes speak of by number.
   *
   * @param most how many at most, above 0
   */
  public SnapshotListing newestSnapshots(int most) {
    return database.read(dsl -> SnapshotQueries.newest(dsl, most));
  }

  /** What the data files of each table hold; tables without files are not in it. By table id. */
  public Map<Long, TableTotals> totals(Snapshot snapshot) {
    return database.read(dsl -> ListingQueries.totals(dsl, snapshot.id()));
  }

  /**
   * Every partition spec that the table ever had, by the id that files name it by. Columns have
   * their newest names.
   */
  public Map<Long, Partitioning> partitionings(Table table) {
    return database.read(dsl -> ListingQueries.partitionings(dsl, table));
  }

  /** The lake's options as they are now. */
  public LakeOptions options() {
    return database.read(CatalogQueries::options);
  }

  /**
   * Schemas, tables and columns at a snapshot. Kept by schema version, as in DuckDB: snapshots of
   * one schema version have the same ones. What was kept is dropped when {@link #latest} goes back,
   * as it does after the catalog was restored from a backup.
   */
  public CatalogView view(Snapshot snapshot) {
    Optional<CatalogContents> cached = cache.find(snapshot.schemaVersion());
    CatalogContents contents =
        cached.orElseGet(() -> database.read(dsl -> CatalogQueries.load(dsl, snapshot.id())));
    if (cached.isEmpty()) {
      cache.put(snapshot.schemaVersion(), contents);
    }
    return new CatalogView(snapshot, contents);
  }

  /**
   * What to read for a table.
   *
   * @param snapshot the snapshot to read at
   * @param table the table as of that snapshot, from {@link #view}
   * @param predicate leaves files out; {@link Predicate#all()} keeps all
   * @throws UnreadableTableException if something live cannot be read, so that rows would be wrong
   * @throws InvalidPredicateException if the predicate does not fit the table
   */
  public ScanPlan plan(Snapshot snapshot, Table table, Predicate predicate) {
    return ScanPlanner.plan(database, snapshot, table, predicate);
  }

  /**
   * The same plan as {@link #plan}, with the files that it leaves out and the reason for each.
   *
   * @throws UnreadableTableException as {@link #plan}
   * @throws InvalidPredicateException as {@link #plan}
   */
  public ScanExplanation explain(Snapshot snapshot, Table table, Predicate predicate) {
    return ScanPlanner.explain(database, snapshot, table, predicate);
  }

  /**
   * What to read for the changes of a table from one snapshot to another, both included. Rewriting
   * and merging files change nothing.
   *
   * @param table the table as of the last snapshot, from {@link #view}
   * @throws InvalidPredicateException if the range is empty
   * @throws UnreadableTableException as {@link #plan}
   */
  public ChangePlan changes(Table table, Snapshot from, Snapshot to) {
    if (from.id() > to.id()) {
      throw ReadErrors.emptyRange(table.name(), from.id(), to.id());
    }
    return ScanPlanner.reading(
        database,
        table,
        dsl -> new ChangePlanner(dsl, database.metadataSchema(), table, from, to).plan());
  }

  /**
   * The snapshot that a commit of ours with that idempotency key made. Empty says nothing about a
   * commit that is under way: only the commit itself, under its lock, decides.
   */
  public Optional<Long> findCommit(String idempotencyKey) {
    return database.read(dsl -> CommitQueries.commit(dsl, lake(), idempotencyKey));
  }

  /**
   * Those of the objects that the catalog names: as a data or delete file of any snapshot that is
   * there, or as scheduled for deletion. Whatever is not among them is nobody's to a reader.
   *
   * @param dataPath the lake's data path, with one slash at its end
   * @param paths full paths
   */
  public Set<String> named(String dataPath, Collection<String> paths) {
    return database.read(dsl -> NamedObjects.among(dsl, dataPath, paths));
  }

  private Snapshot latest(DSLContext dsl) {
    return SnapshotQueries.latest(dsl).orElseThrow(() -> ReadErrors.noSnapshots(lake()));
  }

  private Snapshot earliest(DSLContext dsl) {
    return SnapshotQueries.earliest(dsl).orElseThrow(() -> ReadErrors.noSnapshots(lake()));
  }

  private String lake() {
    return database.metadataSchema();
  }
}
