package dev.sluice.activities.storage;

import java.io.IOException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
import software.amazon.awssdk.services.s3.model.CreateBucketConfiguration;
import software.amazon.awssdk.services.s3.model.CreateBucketRequest;

/**
 * Opens stores: any number of roots over one S3 connection, and local directories. Close it once,
 * at the end; the stores opened from it stop working then. Safe for any number of threads.
 */
public final class ObjectStores implements AutoCloseable {

  /** The region in which S3 wants no location constraint. */
  private static final String REGION_WITHOUT_CONSTRAINT = "us-east-1";

  private final @Nullable S3Connection connection;

  private ObjectStores(@Nullable S3Connection connection) {
    this.connection = connection;
  }

  /** Stores on an S3 endpoint, and local ones. */
  public static ObjectStores connect(S3Settings settings) {
    return new ObjectStores(new S3Connection(settings));
  }

  /** Local stores only; S3 locations are refused. */
  public static ObjectStores localOnly() {
    return new ObjectStores(null);
  }

  /** Opens a store; sends no request, so a missing bucket shows with the first one. */
  public ObjectStore open(StorageLocation location) {
    return switch (location) {
      case StorageLocation.S3 s3 -> new S3ObjectStore(connection(s3), s3);
      case StorageLocation.Local local -> new LocalObjectStore(local);
    };
  }

  /**
   * Makes the bucket or directory unless it exists. For development: in production a missing bucket
   * is a wrong configuration.
   */
  public void createRootIfMissing(StorageLocation location) {
    switch (location) {
      case StorageLocation.S3 s3 -> createBucket(connection(s3), s3);
      case StorageLocation.Local local -> {
        try {
          Files.createDirectories(local.directory());
        } catch (IOException e) {
          throw LocalPaths.failure(local.directory(), "creating it", e);
        }
      }
    }
  }

  private static void createBucket(S3Connection connection, StorageLocation.S3 location) {
    String region = connection.settings().region();
    CreateBucketRequest.Builder request = CreateBucketRequest.builder().bucket(location.bucket());
    if (!region.equals(REGION_WITHOUT_CONSTRAINT)) {
      request.createBucketConfiguration(
          CreateBucketConfiguration.builder().locationConstraint(region).build());
    }
    try {
      connection.client().createBucket(request.build());
    } catch (BucketAlreadyOwnedByYouException e) {
      // It exists, as wanted.
      return;
    } catch (SdkException e) {
      if (bucketExists(connection, location)) {
        return;
      }
      throw S3Errors.translate(e, location.uri(), "creating the bucket");
    }
  }

  /** Some endpoints answer the creation of an existing bucket with codes of their own. */
  private static boolean bucketExists(S3Connection connection, StorageLocation.S3 location) {
    try {
      connection.client().headBucket(r -> r.bucket(location.bucket()));
      return true;
    } catch (SdkException e) {
      return false;
    }
  }

  private S3Connection connection(StorageLocation location) {
    if (connection == null) {
      throw StorageErrors.noStoreSettings(location.uri());
    }
    return connection;
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
    }
  }
}
