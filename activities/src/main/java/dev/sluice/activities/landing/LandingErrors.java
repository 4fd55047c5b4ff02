package dev.sluice.activities.landing;

/** The refusals of this package: context, problem, reason, remedy. The texts are contract. */
final class LandingErrors {

  private LandingErrors() {}

  static LandingException missingFolder(String folder) {
    return new LandingException(
        ("%s: the prepared folder holds no object; it does not exist or was cleaned up;"
                + " check the folder's name in the trigger, or run the import again")
            .formatted(folder));
  }

  static LandingException noParquet(String folder, int leftOut) {
    return new LandingException(
        ("%s: none of the folder's %d objects is a Parquet file; only names that end in .parquet"
                + " are data; check what the producer wrote, and run the import again")
            .formatted(folder, leftOut));
  }

  static LandingException sizeChanged(String object, long listed, long landed) {
    return new LandingException(
        ("%s: listed with %d bytes but %d were copied; the object was replaced while it was being"
                + " landed; a prepared folder must not change, run the import again")
            .formatted(object, listed, landed));
  }

  static LandingException fileMissing(String object, long version) {
    return new LandingException(
        ("%s: version %d of the Delta table names this file and it is not there; it was removed, as"
                + " by a vacuum with a short retention; copy a newer version, or restore the file")
            .formatted(object, version));
  }

  static LandingException fileTwice(String object, long version) {
    return new LandingException(
        ("%s: version %d of the Delta table has this file twice, with different deletion vectors; its"
                + " rows would be there twice; have the producer remove one of the entries, or copy"
                + " another version")
            .formatted(object, version));
  }

  static SourceFilesGoneException fileGone(String object, long version, Throwable cause) {
    return new SourceFilesGoneException(
        ("%s: this file of version %d of the Delta table vanished while the version was copied; it"
                + " was compacted and removed, or replaced; copy a newer version, and let removed"
                + " files stay longer than a copy takes")
            .formatted(object, version),
        cause);
  }

  static LandingException fileSizeOfLog(String object, long version, long logged, long found) {
    return new LandingException(
        ("%s: version %d of the Delta table gives this file %d bytes and it has %d; something"
                + " replaced it, or the log is of another table; copy a newer version, or restore the"
                + " file")
            .formatted(object, version, logged, found));
  }

  static LandingException landedSizeChanged(String object, long landed, long found) {
    return new LandingException(
        ("%s: landed with %d bytes but has %d now; something replaced it before it was published;"
                + " trigger the generation again")
            .formatted(object, landed, found));
  }

  static LandingException vanished(String object) {
    return new LandingException(
        ("%s: the landed object is missing; something removed it before it was published (a clean-up"
                + " of unregistered files with a short age limit?); trigger the generation again")
            .formatted(object));
  }
}
