package dev.sluice.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
  private static final long MADE_MILLIS = 1_785_365_519_000L;

  private static final String PROTOCOL =
      "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\n";

  private final DuckLakeSession session;
  private final Path table;

  private SampleDelta(DuckLakeSession session, Path table) {
    this.session = session;
    this.table = table;
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
    String fields =
        String.join(
            ",",
            List.of(
                field("id", "long"),
                field("subject", "string"),
                field("opened", "timestamp"),
                field("channel", "string")));
    commit(0, PROTOCOL + metadata(fields) + add(0, "mail") + add(1, "chat") + add(2, null));
    commit(1, add(3, "mail"));
  }

  private static String metadata(String fields) {
    return "{\"metaData\":{\"id\":\"7f2c1f2e-0000-4000-8000-0000000c0004\",\"format\":"
        + "{\"provider\":\"parquet\",\"options\":{}},\"schemaString\":"
        + "\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":["
        + fields
        + "]}\",\"partitionColumns\":[\"channel\"],\"configuration\":{},\"createdTime\":"
        + MADE_MILLIS
        + "}}\n";
  }

  private static String field(String name, String type) {
    return ("{\\\"name\\\":\\\"%s\\\",\\\"type\\\":\\\"%s\\\",\\\"nullable\\\":true,"
            + "\\\"metadata\\\":{}}")
        .formatted(name, type);
  }

  private String add(int number, @Nullable String channel) throws SQLException {
    String folder = "channel=" + (channel == null ? "__HIVE_DEFAULT_PARTITION__" : channel);
    String key = folder + "/part-%05d.snappy.parquet".formatted(number);
    Path file = table.resolve(key);
    try {
      Files.createDirectories(file.getParent());
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
      return ("{\"add\":{\"path\":\"%s\",\"partitionValues\":{\"channel\":%s},\"size\":%d,"
              + "\"modificationTime\":%d,\"dataChange\":true,\"stats\":\"{\\\"numRecords\\\":%d}\"}}\n")
          .formatted(
              key,
              channel == null ? "null" : "\"" + channel + "\"",
              Files.size(file),
              MADE_MILLIS,
              ROWS_PER_FILE);
    } catch (IOException e) {
      throw EmbeddedErrors.folderUnusable(file, e);
    }
  }

  private void commit(int version, String actions) {
    Path file = table.resolve("_delta_log").resolve("%020d.json".formatted(version));
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, actions.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw EmbeddedErrors.folderUnusable(file, e);
    }
  }
}
