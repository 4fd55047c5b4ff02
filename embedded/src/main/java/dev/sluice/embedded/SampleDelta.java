package dev.sluice.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A small Delta table as an importer leaves it in its bucket: source type Zendesk, team 2, table
 * {@code tickets}, partitioned by {@code channel} (which is not in its files, and NULL in one of
 * them), two versions of which the second adds a file. The same contents on every run.
 */
public final class SampleDelta {

  /** The team of the sample. */
  public static final int TEAM = 2;

  /** The source type of the sample, as the source names itself. */
  public static final String SOURCE_TYPE = "Zendesk";

  private static final String TICKETS_ID = "0198d000-4444-7a00-8000-00000000c004";
  private static final int ROWS_PER_FILE = 500;
  private final DuckLakeSession session;
  private final Path table;
  private final SampleLog log;

  private SampleDelta(DuckLakeSession session, Path table) {
    this.session = session;
    this.table = table;
    this.log = new SampleLog(table);
  }

  /** A sample in a local folder; needs no extension. */
  public static SampleDelta inFolder(DuckLakeSession session, Path folder) {
    String source =
        ("team_" + TEAM + "_" + SOURCE_TYPE + "_" + TICKETS_ID)
            .toLowerCase(Locale.ROOT)
            .replace('-', '_');
    return new SampleDelta(session, folder.resolve(source).resolve("tickets"));
  }

  /** Writes both versions, or writes the same files again. */
  public void write() throws SQLException {
    String metadata =
        SampleLog.metadata(
            "7f2c1f2e-0000-4000-8000-0000000c0004",
            List.of(
                SampleLog.field("id", "long"),
                SampleLog.field("subject", "string"),
                SampleLog.field("opened", "timestamp"),
                SampleLog.field("channel", "string")),
            "channel");
    log.commit(0, SampleLog.PROTOCOL + metadata + add(0, "mail") + add(1, "chat") + add(2, null));
    log.commit(1, add(3, "mail"));
  }

  private String add(int number, @Nullable String channel) throws SQLException {
    String folder = "channel=" + (channel == null ? "__HIVE_DEFAULT_PARTITION__" : channel);
    String key = folder + "/part-%05d.snappy.parquet".formatted(number);
    Path file = table.resolve(key);
    try {
      Files.createDirectories(file.getParent());
    } catch (IOException e) {
      throw EmbeddedErrors.folderUnusable(file, e);
    }
    session.execute(
        """
        COPY (SELECT n AS id, 'Ticket ' || n AS subject,
                TIMESTAMPTZ '2026-01-01 00:00:00+00' + to_minutes(n) AS opened
              FROM range(%d, %d) AS rows(n) ORDER BY n) TO %s (FORMAT parquet)
        """
            .formatted(
                number * ROWS_PER_FILE,
                (number + 1) * ROWS_PER_FILE,
                DuckDbEngine.literal(file.toString())));
    return log.add(
        key,
        "{\"channel\":%s}".formatted(channel == null ? "null" : "\"" + channel + "\""),
        ROWS_PER_FILE);
  }
}
