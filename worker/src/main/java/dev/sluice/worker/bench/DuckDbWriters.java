package dev.sluice.worker.bench;

import dev.sluice.embedded.DuckLakeSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** DuckDB's writers: each a DuckDB of its own on the same lake, with the extension's retries. */
final class DuckDbWriters implements AutoCloseable {

  private final List<DuckLakeSession> sessions = new ArrayList<>();

  DuckDbWriters(BenchStack stack, int writers) {
    for (int writer = 0; writer < writers; writer++) {
      sessions.add(stack.duckDb());
    }
  }

  /** Inserts one row per commit, each writer into its own table; inlining is off. */
  List<WriterCrowd.Writer> appending() {
    List<WriterCrowd.Writer> writers = new ArrayList<>();
    try {
      for (int writer = 0; writer < sessions.size(); writer++) {
        DuckLakeSession session = sessions.get(writer);
        session.execute("CREATE TABLE append_%d (id BIGINT, name VARCHAR)".formatted(writer));
        String insert = "INSERT INTO append_%d VALUES (1, 'one')".formatted(writer);
        writers.add(round -> session.execute(insert));
      }
    } catch (SQLException e) {
      throw BenchErrors.database("making DuckDB's tables", e);
    }
    return List.copyOf(writers);
  }

  /** Replaces a table of one row per commit, each writer its own. */
  List<WriterCrowd.Writer> replacing() {
    List<WriterCrowd.Writer> writers = new ArrayList<>();
    for (int writer = 0; writer < sessions.size(); writer++) {
      writers.add(replacer(sessions.get(writer), "replace_" + writer));
    }
    return List.copyOf(writers);
  }

  /** Replaces a table of one row per commit, all writers the same one. */
  List<WriterCrowd.Writer> replacingOneTable() {
    return sessions.stream().map(session -> replacer(session, "replace_one")).toList();
  }

  private static WriterCrowd.Writer replacer(DuckLakeSession session, String table) {
    String replace =
        "CREATE OR REPLACE TABLE %s AS SELECT 1::BIGINT AS id, 'one' AS name".formatted(table);
    return round -> session.execute(replace);
  }

  @Override
  public void close() {
    try {
      for (DuckLakeSession session : sessions) {
        session.close();
      }
    } catch (SQLException e) {
      throw BenchErrors.database("closing DuckDB", e);
    }
  }
}
