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
