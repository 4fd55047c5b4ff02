package dev.sluice.activities.storage;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a store says about one object.
 *
 * @param key relative to the store's root, exactly as stored; empty only in a listing, for a marker
 *     object that has the root prefix itself as its key
 * @param sizeBytes length of the content
 * @param etag names one version of the object within its own store and key and says nothing about
 *     content: see {@link Sameness}; null when the store keeps none (local directory)
 * @param checksum null when the store keeps none or did not send it (listings never do)
 * @param lastModified null when the store did not say (after a put)
 */
public record ObjectInfo(
    String key,
    long sizeBytes,
    @Nullable String etag,
    @Nullable ObjectChecksum checksum,
    @Nullable Instant lastModified) {

  /** Checks the size. */
  public ObjectInfo {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("sizeBytes must not be negative: " + sizeBytes);
    }
  }
}
