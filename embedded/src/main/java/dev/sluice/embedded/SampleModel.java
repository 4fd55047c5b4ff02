package dev.sluice.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * A query of the sample's team, materialized as a small Delta table of one version: tickets by
 * channel, of which one has none. The same contents on every run.
 */
public final class SampleModel {

  /** The team that owns the query. */
  public static final int TEAM = SampleDelta.TEAM;

  /** The saved query. */
  public static final String QUERY_ID = "0198d000-5555-7a00-8000-00000000c005";

  /** The query's normalized name. */
  public static final String QUERY_NAME = "tickets_by_channel";

  /** What people call the model. */
  public static final String LABEL = "Tickets by channel";

  private static final String FILE = "part-00000.snappy.parquet";
  private static final int ROWS = 3;

  private SampleModel() {}

  /** Writes the table into a local folder; needs no extension. */
  public static void write(DuckLakeSession session, Path table) throws SQLException {
    try {
      Files.createDirectories(table);
    } catch (IOException e) {
      throw EmbeddedErrors.folderUnusable(table, e);
    }
    session.execute(
        """
        COPY (SELECT * FROM (VALUES ('mail', 1000::BIGINT), ('chat', 500::BIGINT),
                (NULL, 500::BIGINT)) AS rows(channel, tickets)) TO %s (FORMAT parquet)
        """
            .formatted(DuckDbEngine.literal(table.resolve(FILE).toString())));
    SampleLog log = new SampleLog(table);
    log.commit(
        0,
        SampleLog.PROTOCOL
            + SampleLog.metadata(
                "7f2c1f2e-0000-4000-8000-0000000c0005",
                List.of(SampleLog.field("channel", "string"), SampleLog.field("tickets", "long")),
                null)
            + log.add(FILE, "{}", ROWS));
  }
}
