package dev.sluice.activities.storage;

import dev.sluice.embedded.EmbeddedS3;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes empty stores for tests: a prefix in a new bucket of the shared endpoint, or a directory.
 */
public final class TestStores {

  private TestStores() {}

  /** The kinds of store that keep the same contract. */
  enum Kind {
    S3,
    LOCAL
  }

  static S3Settings settings() {
    return settings(EmbeddedS3.shared());
  }

  private static S3Settings settings(EmbeddedS3 s3) {
    return S3Settings.endpoint(
        s3.endpoint(),
        s3.region(),
        new S3Credentials.Fixed(s3.accessKey(), Secret.of(s3.secretKey())));
  }

  /** Stores that can open locations of every kind. */
  static ObjectStores connect() {
    return connect(EmbeddedS3.shared());
  }

  /** The same, with S3 locations at that endpoint. */
  public static ObjectStores connect(EmbeddedS3 s3) {
    return ObjectStores.connect(settings(s3));
  }

  /** A root that nobody else uses; local ones lie below the scratch directory. */
  static StorageLocation newRoot(Kind kind, Path scratch) {
    return switch (kind) {
      case S3 ->
          new StorageLocation.S3(EmbeddedS3.shared().newBucket("storage"), "some prefix/é=1");
      case LOCAL -> {
        try {
          yield new StorageLocation.Local(Files.createTempDirectory(scratch, "some root é=1"));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }
}
