package dev.sluice.activities.storage;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How to reach an S3 endpoint.
 *
 * @param endpoint null for Amazon's own
 * @param region also needed, as part of signatures, by endpoints that have no regions
 * @param addressing where the bucket's name goes in a request
 * @param credentials who asks
 * @param maxConnections requests in flight at a time; further ones wait
 * @param multipartCopyThresholdBytes objects larger than this are copied in parts, at most {@link
 *     #LARGEST_SINGLE_COPY_BYTES}
 */
public record S3Settings(
    @Nullable URI endpoint,
    String region,
    Addressing addressing,
    S3Credentials credentials,
    int maxConnections,
    long multipartCopyThresholdBytes) {

  /** Where the bucket's name goes in a request. */
  public enum Addressing {
    /** {@code https://endpoint/bucket/key}: works with every endpoint. */
    PATH,
    /** {@code https://bucket.endpoint/key}: what Amazon prefers. */
    VIRTUAL_HOST
  }

  /**
   * Requests in flight. Reading footers is bound by latency, not bandwidth: 200 requests at 20 ms
   * are 10,000 a second, more than two cores can sign.
   */
  public static final int DEFAULT_MAX_CONNECTIONS = 200;

  /** Five GiB: what S3 copies in one request at most. */
  public static final long LARGEST_SINGLE_COPY_BYTES = 5L << 30;

  /** Time to open a connection: a healthy endpoint needs milliseconds. */
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Silence after which a request is given up. A copy of 5 GiB within an endpoint that sends
   * nothing until it is done takes about two minutes on slow disks.
   */
  static final Duration SILENCE_TIMEOUT = Duration.ofMinutes(3);

  /**
   * Wait for a free connection. Thousands of virtual threads may queue for one at the same time,
   * and waiting there is no fault, so this only ends a wait for streams that nobody closes.
   */
  static final Duration POOL_TIMEOUT = Duration.ofMinutes(10);

  /** The first try and four more with the SDK's standard back-off (jitter, retry budget). */
  static final int MAX_ATTEMPTS = 5;

  /** Checks the numbers. */
  public S3Settings {
    if (region.isBlank()) {
      throw new IllegalArgumentException("region must not be blank");
    }
    if (maxConnections < 1) {
      throw new IllegalArgumentException("maxConnections must be positive: " + maxConnections);
    }
    if (multipartCopyThresholdBytes < 0
        || multipartCopyThresholdBytes > LARGEST_SINGLE_COPY_BYTES) {
      throw new IllegalArgumentException(
          "multipartCopyThresholdBytes must be 0 to %d: %d"
              .formatted(LARGEST_SINGLE_COPY_BYTES, multipartCopyThresholdBytes));
    }
  }

  /** Amazon S3 in a region. */
  public static S3Settings amazon(String region, S3Credentials credentials) {
    return new S3Settings(
        null,
        region,
        Addressing.VIRTUAL_HOST,
        credentials,
        DEFAULT_MAX_CONNECTIONS,
        LARGEST_SINGLE_COPY_BYTES);
  }

  /** Any other endpoint, with the bucket in the path. */
  public static S3Settings endpoint(URI endpoint, String region, S3Credentials credentials) {
    return new S3Settings(
        endpoint,
        region,
        Addressing.PATH,
        credentials,
        DEFAULT_MAX_CONNECTIONS,
        LARGEST_SINGLE_COPY_BYTES);
  }

  /** The same with another limit of requests in flight. */
  public S3Settings withMaxConnections(int connections) {
    return new S3Settings(
        endpoint, region, addressing, credentials, connections, multipartCopyThresholdBytes);
  }

  /** The same with another size above which copies are made in parts. */
  public S3Settings withMultipartCopyThreshold(long bytes) {
    return new S3Settings(endpoint, region, addressing, credentials, maxConnections, bytes);
  }
}
