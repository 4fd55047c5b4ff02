package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.landing.LedgerObjects;

/** Files of a generation as the ledger keeps them, and back. */
final class LedgerFiles {

  private LedgerFiles() {}

  static LandingFile landing(LedgerFile file) {
    return new LandingFile(
        file.sourceKey(),
        file.landedPath(),
        file.sizeBytes(),
        LedgerObjects.etag(file.checksum()),
        file.modifiedAt());
  }
}
