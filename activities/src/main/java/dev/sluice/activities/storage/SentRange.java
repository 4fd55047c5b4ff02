package dev.sluice.activities.storage;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an answer to a ranged read says it holds.
 *
 * @param first offset of its first byte
 * @param count bytes
 * @param sizeBytes length of the whole object
 */
record SentRange(long first, long count, long sizeBytes) {

  private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d+)-(\\d+)/(\\d+)");

  /**
   * Reads the two headers that say it.
   *
   * @param contentRange null when the answer holds the whole object
   * @return null when Content-Range cannot be read
   */
  static @Nullable SentRange of(@Nullable String contentRange, long contentLength) {
    if (contentRange == null) {
      return new SentRange(0, contentLength, contentLength);
    }
    Matcher parsed = CONTENT_RANGE.matcher(contentRange);
    if (!parsed.matches()) {
      return null;
    }
    long first = Long.parseLong(parsed.group(1));
    long last = Long.parseLong(parsed.group(2));
    return new SentRange(first, last - first + 1, Long.parseLong(parsed.group(3)));
  }
}
