package dev.sluice.worker.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table after the demo's imports, by its newest generation.
 *
 * @param path the way it took into the lake, in a word
 * @param schema schema in the lake; null when the attempt ended before it was resolved
 * @param table name in the lake, or upstream when it was not resolved
 * @param status how the attempt ended, as the job table says it
 * @param reason why; null when it was simply published
 * @param rows rows published; null unless completed
 * @param files data files published; null unless completed
 * @param bytes their size; null unless completed
 * @param snapshot the lake's snapshot; null unless completed
 * @param generation the generation's token
 * @param earlier the same for generations brought in before, oldest first
 */
public record PublishedTable(
    String path,
    @Nullable String schema,
    String table,
    String status,
    @Nullable String reason,
    @Nullable Long rows,
    @Nullable Long files,
    @Nullable Long bytes,
    @Nullable Long snapshot,
    String generation,
    List<PublishedTable> earlier) {

  /** Copies the list. */
  public PublishedTable {
    earlier = List.copyOf(earlier);
  }

  /**
   * Whether this generation and all earlier ones were published, now or, for earlier ones, by an
   * earlier run on the same lake.
   */
  public boolean published() {
    return status.equals("completed")
        && earlier.stream()
            .allMatch(each -> each.status.equals("completed") || each.status.equals("stale"));
  }

  PublishedTable after(List<PublishedTable> others) {
    return new PublishedTable(
        path, schema, table, status, reason, rows, files, bytes, snapshot, generation, others);
  }
}
