package dev.sluice.catalog;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A partition transform of format 1.0 (ducklake-format 10.2). */
public sealed interface PartitionTransform {

  /** The text stored in {@code ducklake_partition_column.transform}. */
  String text();

  /** The value itself. */
  static PartitionTransform identity() {
    return Simple.IDENTITY;
  }

  /**
   * Parses the stored text.
   *
   * @throws IllegalArgumentException if format 1.0 has no such transform
   */
  static PartitionTransform parse(String text) {
    Matcher bucket = Bucket.PATTERN.matcher(text);
    if (bucket.matches()) {
      return new Bucket(Integer.parseInt(bucket.group(1), 10));
    }
    for (Simple simple : Simple.values()) {
      if (simple.text().equals(text.strip().toLowerCase(Locale.ROOT))) {
        return simple;
      }
    }
    throw new IllegalArgumentException(
        "partition transform '%s' is unknown to DuckLake 1.0".formatted(text));
  }

  /** Transforms without a parameter: calendar parts are integers (month 1-12, hour 0-23). */
  enum Simple implements PartitionTransform {
    IDENTITY,
    YEAR,
    MONTH,
    DAY,
    HOUR;

    @Override
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Murmur3 bucket of the value; {@code buckets} is at least 1. */
  record Bucket(int buckets) implements PartitionTransform {

    private static final Pattern PATTERN =
        Pattern.compile("bucket\\(\\s*(\\d{1,9})\\s*\\)", Pattern.CASE_INSENSITIVE);

    /** Checks the count. */
    public Bucket {
      if (buckets < 1) {
        throw new IllegalArgumentException("bucket(%d): at least 1 bucket".formatted(buckets));
      }
    }

    @Override
    public String text() {
      // plain concatenation: formatting would follow the digits of the host's locale
      return "bucket(" + buckets + ")";
    }
  }
}
