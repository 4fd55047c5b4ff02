package dev.sluice.activities.landing;

import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.storage.ObjectInfo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One file of a generation on its way into the lake.
 *
 * @param sourceKey key in the source's store
 * @param landedKey key in the lake's store, below the generation's landing prefix
 * @param sizeBytes size of the source object when it was listed
 * @param etag the source object's etag when it was listed: the copy is refused when it has another
 *     one by then; null when the store keeps none
 * @param modifiedAt the source object's time of change when it was listed; null when not known
 */
public record LandingFile(
    String sourceKey,
    String landedKey,
    long sizeBytes,
    @Nullable String etag,
    @Nullable Instant modifiedAt) {

  /** The object that is the file's content in the lake's store, or will be. */
  public static LandingFile object(LedgerFile file) {
    return new LandingFile(file.sourceKey(), file.landedPath(), file.objectBytes(), null, null);
  }

  /** The delete file that lies where the landing's own do. */
  public static LandingFile deletes(LedgerFile file, LandedDeletes deletes) {
    return new LandingFile(file.sourceKey(), deletes.ownKey(), deletes.bytes(), null, null);
  }

  /** The ledger's entry of a file that was listed. */
  public LedgerFile listed() {
    return LedgerFile.listed(
        sourceKey, sizeBytes, LedgerObjects.checksum(etag), modifiedAt, landedKey);
  }

  /** The source object as it was listed. */
  ObjectInfo source() {
    return new ObjectInfo(sourceKey, sizeBytes, etag, null, modifiedAt);
  }
}
