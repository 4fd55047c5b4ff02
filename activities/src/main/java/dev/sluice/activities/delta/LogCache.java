package dev.sluice.activities.delta;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Log files of one snapshot that were read already: a log is read once for its metadata and once
 * for its files, and Parquet files once for their footers. What was read first is kept, up to a
 * limit, because every reading begins at the newest commit. Thread-safe.
 */
final class LogCache {

  /** About ten thousand ordinary commits. */
  private static final long MOST_BYTES = 16 << 20;

  private final Map<String, byte[]> contents = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  byte @Nullable [] find(String name) {
    return contents.get(name);
  }

  void keep(String name, byte[] content) {
    if (bytes.get() + content.length <= MOST_BYTES && contents.putIfAbsent(name, content) == null) {
      bytes.addAndGet(content.length);
    }
  }
}
