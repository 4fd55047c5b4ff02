package dev.sluice.activities.query;

import dev.sluice.activities.parquet.write.ParquetTableWriter;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.Partitioning;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.NameMap;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanPlan;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a Parquet file anew with other names and types, and without some of its rows. Rows are
 * streamed; their order is not kept. Thread-safe.
 */
public final class FileRewriter {

  private static final TableName NAME = new TableName("rewrite", "file");

  private final DataFiles files;

  /** Rewrites files that lie where a lake's files lie. */
  public FileRewriter(DataFiles files) {
    this.files = files;
  }

  /**
   * A file to be written anew.
   *
   * @param path its full path
   * @param rows rows in it
   * @param sizeBytes its size
   * @param columns the columns to write
   * @param nameMap what the file calls them; null where their ids are its field ids
   * @param deleted positions of rows to leave out, ascending
   */
  public record Original(
      String path,
      long rows,
      long sizeBytes,
      List<Column> columns,
      @Nullable NameMap nameMap,
      List<Long> deleted) {

    /** Copies the lists. */
    public Original {
      columns = List.copyOf(columns);
      deleted = List.copyOf(deleted);
    }
  }

  /**
   * Adds the file's rows to another one.
   *
   * @param alive called now and then
   * @throws QueryException when the file cannot be read as these columns
   * @throws dev.sluice.activities.parquet.write.ParquetWriteException when a value does not fit
   */
  public void copy(Original original, ParquetTableWriter into, Runnable alive) {
    ScanPlan plan = plan(original);
    try (ScanSession session = ScanSession.open(plan, plan.files(), files, original.columns())) {
      String select =
          original.columns().stream().map(RowValues::select).collect(Collectors.joining(", "));
      for (Optional<ResultSet> batch = session.next(select, "");
          batch.isPresent();
          batch = session.next(select, "")) {
        copy(original, batch.get(), into, alive, session);
      }
    }
  }

  private static void copy(
      Original original,
      ResultSet rows,
      ParquetTableWriter into,
      Runnable alive,
      ScanSession session) {
    List<Column> columns = original.columns();
    try {
      while (rows.next()) {
        @Nullable Object[] values = new @Nullable Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
          values[i] = RowValues.of(columns.get(i), rows.getObject(i + 1));
        }
        into.write(values);
        if (into.rows() % ROWS_PER_BEAT == 0) {
          alive.run();
        }
      }
    } catch (SQLException e) {
      throw session.failed(e);
    }
  }

  private static final int ROWS_PER_BEAT = 100_000;

  private static ScanPlan plan(Original original) {
    Table table = new Table(0, new UUID(0, 0), NAME, "", original.columns(), Partitioning.none());
    Snapshot snapshot = new Snapshot(0, Instant.EPOCH, 0, 0, 0);
    return new ScanPlan(snapshot, table, Predicate.all(), scanFiles(original), List.of(), 1);
  }

  private static List<ScanFile> scanFiles(Original original) {
    return List.of(
        new ScanFile(
            0,
            original.path(),
            original.rows(),
            original.sizeBytes(),
            null,
            null,
            0,
            null,
            original.nameMap(),
            null,
            List.of(),
            List.of(),
            original.deleted()));
  }
}
