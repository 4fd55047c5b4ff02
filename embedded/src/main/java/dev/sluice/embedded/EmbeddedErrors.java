package dev.sluice.embedded;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Makes every user-visible error of this module: context, problem; reason; remedy. */
final class EmbeddedErrors {

  private EmbeddedErrors() {}

  static EmbeddedStackException databaseNotStarted(Path folder, Throwable cause) {
    return failure(
        "embedded PostgreSQL in " + folder,
        "the server did not start",
        reasonOf(cause),
        "look at the server's log lines above; a data folder kept from another PostgreSQL version"
            + " or a port in use must be removed or changed",
        cause);
  }

  static EmbeddedStackException databaseNotStopped(Path folder, Throwable cause) {
    return failure(
        "embedded PostgreSQL in " + folder,
        "the server did not stop cleanly",
        reasonOf(cause),
        "end the process named in its postmaster.pid",
        cause);
  }

  static EmbeddedStackException databaseDown(Path folder) {
    return failure(
        "embedded PostgreSQL in " + folder,
        "the server is not running",
        "it was killed or closed before",
        "call restart() first",
        null);
  }

  static EmbeddedStackException statementFailed(String context, Throwable cause) {
    return failure(
        context,
        "a statement of the embedded stack failed",
        reasonOf(cause),
        "see the cause for the statement's error",
        cause);
  }

  static EmbeddedStackException badName(String kind, String name, String rule) {
    return failure(
        kind + " " + name, "the name is refused", "required: " + rule, "choose another name", null);
  }

  static EmbeddedStackException s3NotStarted(Path folder, Throwable cause) {
    return failure(
        "embedded S3 in " + folder,
        "the endpoint did not start",
        reasonOf(cause),
        "choose another port or folder",
        cause);
  }

  static EmbeddedStackException temporalNotStarted(int port, Throwable cause) {
    return failure(
        "embedded Temporal on port " + port,
        "the service did not start",
        reasonOf(cause),
        "choose another port",
        cause);
  }

  static EmbeddedStackException folderUnusable(Path folder, Throwable cause) {
    return failure(
        "folder " + folder,
        "it cannot be made, read or locked",
        reasonOf(cause),
        "check its permissions and the free space",
        cause);
  }

  static EmbeddedStackException extensionsNotFetched(
      Path folder, String packages, String reason, @Nullable Throwable cause) {
    return failure(
        "DuckDB extensions in " + folder,
        "the packages " + packages + " could not be fetched",
        reason,
        "make python3 with pip and a package index reachable, or put the .duckdb_extension files"
            + " of exactly this DuckDB version there by hand",
        cause);
  }

  static EmbeddedStackException cutterFailed(Throwable cause) {
    return failure(
        "connection cutter",
        "the proxy could not listen",
        reasonOf(cause),
        "check that loopback ports are free",
        cause);
  }

  static EmbeddedStackException pgBouncerNotFetched(String reason, @Nullable Throwable cause) {
    return failure(
        "pgbouncer",
        "it is not on this machine and Debian's package could not be fetched",
        reason,
        "install pgbouncer (Debian: apt-get install pgbouncer; macOS: brew install pgbouncer)",
        cause);
  }

  static EmbeddedStackException pgBouncerNotStarted(String context, String reason) {
    return failure(
        context,
        "the process did not come up",
        reason,
        "run it by hand with the same settings",
        null);
  }

  static EmbeddedStackException pyArrowNotFetched(String reason, @Nullable Throwable cause) {
    return failure(
        "pyarrow",
        "its wheel could not be fetched",
        reason,
        "make python3 with pip and a package index reachable",
        cause);
  }

  static EmbeddedStackException scriptFailed(String reason, @Nullable Throwable cause) {
    return failure(
        "script with pyarrow",
        "it did not succeed",
        reason,
        "its last lines say where; run it by hand with the same arguments",
        cause);
  }

  private static EmbeddedStackException failure(
      String context, String problem, String reason, String remedy, @Nullable Throwable cause) {
    return new EmbeddedStackException(
        context + ": " + problem + "; " + reason + "; " + remedy, cause);
  }

  private static String reasonOf(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }
}
