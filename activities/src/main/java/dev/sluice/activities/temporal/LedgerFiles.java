package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.landing.LandedDeletes;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.landing.LedgerObjects;

/** Files of a generation as the ledger keeps them, and back. */
final class LedgerFiles {

  private LedgerFiles() {}

  static LedgerFile listed(LandingFile file) {
    return LedgerFile.listed(
        file.sourceKey(),
        file.sizeBytes(),
        LedgerObjects.checksum(file.etag()),
        file.modifiedAt(),
        file.landedKey());
  }

  static LandingFile landing(LedgerFile file) {
    return new LandingFile(
        file.sourceKey(),
        file.landedPath(),
        file.sizeBytes(),
        LedgerObjects.etag(file.checksum()),
        file.modifiedAt());
  }

  /** The delete file that lies where the landing's own do. */
  static LandingFile deletes(LedgerFile file, LandedDeletes deletes) {
    return new LandingFile(file.sourceKey(), deletes.ownKey(), deletes.bytes(), null, null);
  }

  /** The object that is the file's content in the lake's store, or will be. */
  static LandingFile object(LedgerFile file) {
    return new LandingFile(file.sourceKey(), file.landedPath(), file.objectBytes(), null, null);
  }
}
