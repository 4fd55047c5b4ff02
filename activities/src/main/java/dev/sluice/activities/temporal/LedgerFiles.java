package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.landing.LandingFile;
import org.jspecify.annotations.Nullable;

/** Files of a generation as the ledger keeps them, and back. */
final class LedgerFiles {

  /** Marks what identifies the listed version of a source object in the ledger's column. */
  private static final String ETAG = "etag:";

  private LedgerFiles() {}

  static LedgerFile listed(LandingFile file) {
    String etag = file.etag();
    return LedgerFile.listed(
        file.sourceKey(),
        file.sizeBytes(),
        etag == null ? null : ETAG + etag,
        file.modifiedAt(),
        file.landedKey());
  }

  static LandingFile landing(LedgerFile file) {
    return new LandingFile(
        file.sourceKey(),
        file.landedPath(),
        file.sizeBytes(),
        etag(file.checksum()),
        file.modifiedAt());
  }

  private static @Nullable String etag(@Nullable String checksum) {
    return checksum != null && checksum.startsWith(ETAG) ? checksum.substring(ETAG.length()) : null;
  }
}
