package dev.sluice.activities.storage;

import dev.sluice.activities.storage.StorageException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Makes every error of this package. Form: location: problem; reason; remedy. The texts are what an
 * operator reads in a job's history, so they never hold a secret.
 */
final class StorageErrors {

  private StorageErrors() {}

  static StorageException invalidKey(String key, String reason) {
    return new StorageException(
        Kind.INVALID_KEY,
        "key '%s': not allowed; %s; use names separated by single slashes, without '.' and '..', that do not begin or end with a slash"
            .formatted(key, reason),
        null);
  }

  static StorageException invalidLocation(String text, String reason) {
    return new StorageException(
        Kind.INVALID_KEY,
        "location '%s': not allowed; %s; write s3://bucket/prefix/, file:///directory/ or a directory's path"
            .formatted(text, reason),
        null);
  }

  static StorageException leavesRoot(Path root, String key, Path link) {
    return new StorageException(
        Kind.INVALID_KEY,
        "%s: key '%s' is not allowed; %s is a symbolic link, which could lead out of the store; replace the link by a directory or file"
            .formatted(root, key, link),
        null);
  }

  static StorageException fileInTheWay(Path root, String key, Path file) {
    return new StorageException(
        Kind.INVALID_KEY,
        "%s: key '%s' cannot be written; %s exists and %s; choose another key or remove it"
            .formatted(root, key, file, "a directory cannot share a name with a file"),
        null);
  }

  static StorageException notFound(String address) {
    return failed(Kind.NOT_FOUND, address, "looking it up", "there is no such object", null);
  }

  static StorageException missingDirectory(Path root) {
    return failed(
        Kind.MISSING_BUCKET, root.toString(), "using it", "there is no such directory", null);
  }

  static StorageException rangeBehindEnd(String address, long offset, @Nullable Throwable cause) {
    return failed(
        Kind.INVALID_RANGE,
        address,
        "reading from offset " + offset,
        "the object ends before it",
        cause);
  }

  static StorageException sourceChanged(String address, String reason) {
    return failed(Kind.SOURCE_CHANGED, address, "copying it", reason, null);
  }

  static StorageException interrupted(String address, String action, @Nullable Throwable cause) {
    return failed(Kind.INTERRUPTED, address, action, "the thread was interrupted", cause);
  }

  static StorageException unexpectedAnswer(String address, String action, String answer) {
    return failed(Kind.UNEXPECTED, address, action, answer, null);
  }

  static StorageException sourceUnreadable(String address, Throwable cause) {
    return failed(
        Kind.UNAVAILABLE,
        address,
        "storing it",
        "the content could not be read: " + cause.getMessage(),
        cause);
  }

  static StorageException uploadLeftOpen(String address, String uploadId, Throwable cause) {
    return failed(
        Kind.UNEXPECTED,
        address,
        "giving up the multipart upload " + uploadId,
        "it is still open and keeps its parts (" + cause.getMessage() + ")",
        cause);
  }

  static StorageException badCredentials(String what, Throwable cause) {
    return failed(Kind.BAD_CREDENTIALS, what, "signing in", reason(cause), cause);
  }

  static StorageException noStoreSettings(String address) {
    return failed(
        Kind.UNEXPECTED,
        address,
        "opening it",
        "no S3 settings were given to these stores, so only local directories can be opened",
        null);
  }

  static UncheckedIOException noTemporaryFolder(IOException cause) {
    return new UncheckedIOException(
        "temporary folder: cannot be made: " + cause.getMessage() + "; check java.io.tmpdir",
        cause);
  }

  /** A start-up check that failed; keeps the kind and the whole message of what went wrong. */
  static StorageException probeFailed(String address, String step, StorageException cause) {
    return new StorageException(
        cause.kind(),
        "%s: the store cannot be used; the start-up check failed at %s: %s"
            .formatted(address, step, cause.getMessage()),
        cause);
  }

  static StorageException probeMismatch(String address, String step, String found) {
    return new StorageException(
        Kind.UNEXPECTED,
        "%s: the store cannot be used; the start-up check failed at %s: %s; use an endpoint that keeps keys and content as they are sent"
            .formatted(address, step, found),
        null);
  }

  /** The general form: the remedy follows from the kind. */
  static StorageException failed(
      Kind kind, String address, String action, String reason, @Nullable Throwable cause) {
    return new StorageException(
        kind, "%s: %s failed; %s; %s".formatted(address, action, reason, remedy(kind)), cause);
  }

  static String reason(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }

  private static String remedy(Kind kind) {
    return switch (kind) {
      case NOT_FOUND -> "check the location, or run the producer again";
      case MISSING_BUCKET -> "create it, or correct the configured location";
      case ACCESS_DENIED ->
          "grant list, read, write and delete there to the identity that Sluice runs as";
      case BAD_CREDENTIALS -> "check the configured access key, secret, role and the clock";
      case WRONG_REGION -> "configure the region in which the bucket lives";
      case UNREACHABLE -> "check the configured endpoint and the network, then repeat";
      case THROTTLED -> "repeat later or with fewer requests at a time";
      case UNAVAILABLE -> "repeat later";
      case INVALID_KEY -> "choose another key";
      case INVALID_RANGE -> "look the object's size up again";
      case SOURCE_CHANGED -> "list the source again and repeat";
      case INTERRUPTED -> "repeat if the work is still wanted";
      case UNEXPECTED -> "report it with this message";
    };
  }
}
