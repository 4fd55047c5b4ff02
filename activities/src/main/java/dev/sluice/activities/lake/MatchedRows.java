package dev.sluice.activities.lake;

import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.activities.query.DataFiles.WantedFile;
import dev.sluice.activities.query.PlacedRows;
import dev.sluice.activities.query.Sql;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.Change.InlinedDelete;
import dev.sluice.catalog.commit.Change.NewDeleteFile;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanFile.DeleteFile;
import dev.sluice.catalog.read.ScanPlan;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.UUID;
import org.duckdb.DuckDBAppender;

/**
 * The places of rows that go, collected inside a write's DuckDB, and the changes that take them out
 * of the table (ducklake-format 8): a file that loses its last row ends, any other gets a delete
 * file with all its positions, rows that the catalog holds end there. Not thread-safe.
 *
 * <p>A file of which DuckDB has deleted rows inside the catalog gets no delete file but further
 * positions there. DuckDB counts a row twice that is deleted in both, and what it makes of them
 * when it flushes begins before our delete file would.
 */
final class MatchedRows {

  private static final String MATCHED = "matched_rows";
  private static final String EARLIER = "earlier_positions";

  private final String doing;
  private final WriteEngine engine;
  private final ScanPlan plan;
  private final DataFiles files;
  private final NewObjects objects;

  MatchedRows(String doing, WriteEngine engine, ScanPlan plan, DataFiles files, NewObjects objects)
      throws SQLException {
    this.doing = doing;
    this.engine = engine;
    this.plan = plan;
    this.files = files;
    this.objects = objects;
    engine.execute("CREATE TEMP TABLE " + MATCHED + " (file_id BIGINT, pos BIGINT, row_id BIGINT)");
    engine.execute(
        "CREATE TEMP TABLE " + EARLIER + " (file_id BIGINT, pos BIGINT, inlined BOOLEAN)");
  }

  /** Adds the rows of a relation that has the places of {@link PlacedRows}. */
  void add(String relation, String condition) throws SQLException {
    engine.execute(
        "INSERT INTO %s SELECT %s, %s, %s FROM (%s) r WHERE (%s\n)"
            .formatted(
                MATCHED,
                PlacedRows.FILE_ID,
                PlacedRows.POSITION,
                PlacedRows.ROW_ID,
                relation,
                condition));
  }

  long count() throws SQLException {
    return engine.number("SELECT count(*) FROM " + MATCHED);
  }

  /** Writes the delete files and says what is to be committed. */
  List<Change> changes() throws SQLException {
    Map<Long, Long> lost = new LinkedHashMap<>();
    engine.query(
        "SELECT file_id, count(*) FROM " + MATCHED + " WHERE file_id IS NOT NULL GROUP BY 1",
        row -> lost.put(row.getLong(1), row.getLong(2)));
    Map<Long, ScanFile> byId = new LinkedHashMap<>();
    plan.files().stream()
        .filter(file -> lost.containsKey(file.dataFileId()))
        .forEach(file -> byId.put(file.dataFileId(), file));
    loadEarlier(byId.values());
    Map<Long, Long> earlier = new LinkedHashMap<>();
    engine.query(
        "SELECT file_id, count(DISTINCT pos) FROM " + EARLIER + " GROUP BY 1",
        row -> earlier.put(row.getLong(1), row.getLong(2)));
    List<Long> ended = new ArrayList<>();
    for (ScanFile file : byId.values()) {
      long gone =
          earlier.getOrDefault(file.dataFileId(), 0L)
              + Objects.requireNonNull(lost.get(file.dataFileId()));
      if (gone == file.recordCount()) {
        ended.add(file.dataFileId());
      }
    }
    ended.forEach(byId::remove);
    TableRef table = TableRef.id(plan.table().id());
    List<Change> changes = new ArrayList<>();
    List<InlinedDelete> inCatalog = new ArrayList<>();
    for (ScanFile file : List.copyOf(byId.values())) {
      if (!file.inlinedDeletes().isEmpty()) {
        byId.remove(file.dataFileId());
        inCatalog.add(new InlinedDelete(file.dataFileId(), positions(file.dataFileId())));
      }
    }
    if (!inCatalog.isEmpty()) {
      changes.add(new Change.DeleteInCatalog(table, inCatalog));
    }
    if (!byId.isEmpty()) {
      changes.add(new Change.AddDeleteFiles(table, write(byId)));
    }
    if (!ended.isEmpty()) {
      changes.add(new Change.EndDataFiles(table, ended));
    }
    List<Long> inlined =
        engine.query(
            "SELECT row_id FROM " + MATCHED + " WHERE file_id IS NULL ORDER BY 1",
            row -> row.getLong(1));
    if (!inlined.isEmpty()) {
      changes.add(new Change.EndInlinedRows(table, inlined));
    }
    return changes;
  }

  private void loadEarlier(Iterable<ScanFile> touched) throws SQLException {
    try (DuckDBAppender appender = engine.appender(EARLIER)) {
      for (ScanFile file : touched) {
        for (long position : file.inlinedDeletes()) {
          appender.beginRow();
          appender.append(file.dataFileId());
          appender.append(position);
          appender.append(true);
          appender.endRow();
        }
      }
    }
    for (ScanFile file : touched) {
      for (DeleteFile deletes : file.deleteFiles()) {
        WantedFile wanted = new WantedFile(deletes.path(), deletes.fileSizeBytes());
        try (Lease lease = files.lease(List.of(wanted))) {
          engine.execute(
              "INSERT INTO %s SELECT %d, pos, FALSE FROM read_parquet(%s)"
                  .formatted(
                      EARLIER,
                      file.dataFileId(),
                      Sql.literal(lease.local(deletes.path()).toString())));
        }
      }
    }
  }

  private List<Long> positions(long dataFileId) throws SQLException {
    return engine.query(
        "SELECT pos FROM %s WHERE file_id = %d ORDER BY pos".formatted(MATCHED, dataFileId),
        row -> row.getLong(1));
  }

  /** Of the files in question, those deleted before and those to go; each once, in order. */
  private static ResultSet positions(Statement statement) throws SQLException {
    return statement.executeQuery(
        "SELECT file_id, pos FROM (SELECT file_id, pos FROM %s WHERE NOT inlined UNION SELECT"
                .formatted(EARLIER)
            + " file_id, pos FROM %s) SEMI JOIN deleting USING (file_id) ORDER BY file_id, pos"
                .formatted(MATCHED));
  }

  private List<NewDeleteFile> write(Map<Long, ScanFile> byId) throws SQLException {
    engine.execute("CREATE TEMP TABLE deleting (file_id BIGINT)");
    try (DuckDBAppender appender = engine.appender("deleting")) {
      for (long id : byId.keySet()) {
        appender.beginRow();
        appender.append(id);
        appender.endRow();
      }
    }
    try (Statement statement = engine.connection().createStatement();
        ResultSet result = positions(statement)) {
      return DeleteFileWriter.write(doing, objects.store(), new PositionsOfFiles(result, byId));
    }
  }

  /** Reads a result of files and positions in order, one file at a time. */
  private final class PositionsOfFiles implements Iterator<DeleteFileWriter.Positions> {
    private final ResultSet result;
    private final Map<Long, ScanFile> byId;
    private boolean more;

    PositionsOfFiles(ResultSet result, Map<Long, ScanFile> byId) throws SQLException {
      this.result = result;
      this.byId = byId;
      this.more = result.next();
    }

    @Override
    public boolean hasNext() {
      return more;
    }

    @Override
    public DeleteFileWriter.Positions next() {
      if (!more) {
        throw new NoSuchElementException("there is no further file");
      }
      try {
        long id = result.getLong(1);
        List<Long> positions = new ArrayList<>();
        while (more && result.getLong(1) == id) {
          positions.add(result.getLong(2));
          more = result.next();
        }
        return new DeleteFileWriter.Positions(
            id,
            Objects.requireNonNull(byId.get(id)).path(),
            objects.key(NewObjects.DELETES + "ducklake-" + UUID.randomUUID() + "-delete.parquet"),
            positions);
      } catch (SQLException e) {
        throw WriteErrors.engineFailed(doing, e);
      }
    }
  }
}
