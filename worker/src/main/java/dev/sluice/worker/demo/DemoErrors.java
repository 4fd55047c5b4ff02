package dev.sluice.worker.demo;

import java.io.IOException;
import java.nio.file.Path;

/** What the demo says when it cannot go on. */
final class DemoErrors {

  private static final String LAYOUT =
      "team_<team>_<source type>_<source schema UUID>/<table>__query_<epoch seconds>_<8 hex>/";

  private DemoErrors() {}

  static DemoException noDirectory(Path directory) {
    return new DemoException(
        "source " + directory + ": there is no such folder; name an existing one after --source",
        null);
  }

  static DemoException nothingPrepared(Path directory) {
    return new DemoException(
        "source "
            + directory
            + ": nothing to import; no folder in it is named like a prepared one; required: "
            + LAYOUT,
        null);
  }

  static DemoException unreadable(Path path, IOException cause) {
    return new DemoException(
        "source " + path + ": cannot be read: " + cause.getMessage() + "; check its permissions",
        cause);
  }

  static DemoException notWritable(Path path, IOException cause) {
    return new DemoException(
        path + ": cannot be written: " + cause.getMessage() + "; check its permissions", cause);
  }

  static DemoException sampleNotWritten(Exception cause) {
    return new DemoException(
        "sample import: DuckDB could not write it: "
            + cause.getMessage()
            + "; look at the free space of the temporary folder, or give prepared files of your own"
            + " with --source",
        cause);
  }
}
