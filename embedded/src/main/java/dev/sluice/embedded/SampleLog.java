package dev.sluice.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the log of a small Delta table, by the protocol's lowest versions. */
final class SampleLog {

  static final String PROTOCOL = "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\n";

  private static final long MADE_MILLIS = 1_785_365_519_000L;

  private final Path table;

  SampleLog(Path table) {
    this.table = table;
  }

  static String field(String name, String type) {
    return ("{\\\"name\\\":\\\"%s\\\",\\\"type\\\":\\\"%s\\\",\\\"nullable\\\":true,"
            + "\\\"metadata\\\":{}}")
        .formatted(name, type);
  }

  /**
   * What the table is.
   *
   * @param partitionColumn the column that it is partitioned by; null when by none
   */
  static String metadata(String id, List<String> fields, @Nullable String partitionColumn) {
    return "{\"metaData\":{\"id\":\""
        + id
        + "\",\"format\":{\"provider\":\"parquet\",\"options\":{}},\"schemaString\":"
        + "\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":["
        + String.join(",", fields)
        + "]}\",\"partitionColumns\":["
        + (partitionColumn == null ? "" : "\"" + partitionColumn + "\"")
        + "],\"configuration\":{},\"createdTime\":"
        + MADE_MILLIS
        + "}}\n";
  }

  /**
   * Adds a file that lies in the table's folder.
   *
   * @param partitionValues a JSON object
   */
  String add(String key, String partitionValues, long rows) {
    Path file = table.resolve(key);
    try {
      return ("{\"add\":{\"path\":\"%s\",\"partitionValues\":%s,\"size\":%d,"
              + "\"modificationTime\":%d,\"dataChange\":true,\"stats\":\"{\\\"numRecords\\\":%d}\"}}\n")
          .formatted(key, partitionValues, Files.size(file), MADE_MILLIS, rows);
    } catch (IOException e) {
      throw EmbeddedErrors.folderUnusable(file, e);
    }
  }

  void commit(int version, String actions) {
    Path file = table.resolve("_delta_log").resolve("%020d.json".formatted(version));
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, actions.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw EmbeddedErrors.folderUnusable(file, e);
    }
  }
}
