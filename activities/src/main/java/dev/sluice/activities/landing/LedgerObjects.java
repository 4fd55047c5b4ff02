package dev.sluice.activities.landing;

import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.storage.ObjectInfo;
import org.jspecify.annotations.Nullable;

/** Source objects as the ledger knows them. */
public final class LedgerObjects {

  /** Marks what identifies the listed version of a source object in the ledger's column. */
  private static final String ETAG = "etag:";

  private LedgerObjects() {}

  /** The ledger's text for a store's tag; null when the store keeps none. */
  public static @Nullable String checksum(@Nullable String etag) {
    return etag == null ? null : ETAG + etag;
  }

  /** The tag in the ledger's text; null when there is none. */
  public static @Nullable String etag(@Nullable String checksum) {
    return checksum != null && checksum.startsWith(ETAG) ? checksum.substring(ETAG.length()) : null;
  }

  /** The source object as it was listed. */
  static ObjectInfo source(LedgerFile file) {
    return new ObjectInfo(
        file.sourceKey(), file.sizeBytes(), etag(file.checksum()), null, file.modifiedAt());
  }
}
