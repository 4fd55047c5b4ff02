package dev.sluice.worker.config;

import dev.sluice.activities.storage.S3Credentials;
import dev.sluice.activities.storage.S3Settings;
import dev.sluice.activities.storage.S3Settings.Addressing;
import dev.sluice.activities.storage.StorageLocation;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a lake's files are, and how to reach them.
 *
 * @param dataPath the lake's data path
 * @param region region of the bucket; also needed by endpoints that have none
 * @param endpoint the S3 endpoint; null for Amazon's own
 * @param addressing where the bucket's name goes
 * @param credentials who Sluice is there
 */
public record StorageSettings(
    StorageLocation dataPath,
    String region,
    @Nullable URI endpoint,
    Addressing addressing,
    S3Credentials credentials) {

  /** Where credentials come from. */
  public enum CredentialType {
    /** What the platform gives: workload identity, profile, instance role. */
    AMBIENT,
    /** A fixed key. */
    FIXED,
    /** A role, assumed with the platform's credentials, or with a fixed key where one is given. */
    ASSUMED_ROLE
  }

  /** Checks presence. */
  public StorageSettings {
    Objects.requireNonNull(dataPath, "dataPath");
    Objects.requireNonNull(region, "region");
    Objects.requireNonNull(addressing, "addressing");
    Objects.requireNonNull(credentials, "credentials");
  }

  /** The settings of the S3 client; of no use for a local data path. */
  public S3Settings s3() {
    return new S3Settings(
        endpoint,
        region,
        addressing,
        credentials,
        S3Settings.DEFAULT_MAX_CONNECTIONS,
        S3Settings.LARGEST_SINGLE_COPY_BYTES);
  }
}
