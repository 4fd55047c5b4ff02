package dev.sluice.activities.storage;

import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CopyObjectResult;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/** A bucket, or a prefix in one. */
final class S3ObjectStore implements ObjectStore {

  private final S3Connection connection;
  private final S3Client client;
  private final StorageLocation.S3 location;

  S3ObjectStore(S3Connection connection, StorageLocation.S3 location) {
    this.connection = connection;
    this.client = connection.client();
    this.location = location;
  }

  @Override
  public StorageLocation location() {
    return location;
  }

  @Override
  public ObjectInfo put(String key, byte[] content) {
    try (ObjectUpload upload = upload(key)) {
      upload.write(content);
      return upload.complete();
    }
  }

  @Override
  public ObjectInfo put(String key, InputStream content, TransferMonitor monitor) {
    try (ObjectUpload upload = newUpload(key, monitor)) {
      StreamCopy.copy(content, upload, uri(key));
      return upload.complete();
    }
  }

  @Override
  public ObjectUpload upload(String key) {
    return newUpload(key, TransferMonitor.NONE);
  }

  private ObjectUpload newUpload(String key, TransferMonitor monitor) {
    return new S3Upload(client, location, ObjectKeys.requireWritable(key), monitor);
  }

  @Override
  public InputStream open(String key) {
    return S3Errors.translating(
        uri(key),
        "reading it",
        () -> new S3Content(client.getObject(r -> r.bucket(location.bucket()).key(fullKey(key)))));
  }

  @Override
  public byte[] read(String key, long offset, int length) {
    Ranges.requireValid(offset, length);
    return length == 0
        ? new byte[0]
        : new S3RangedReads(connection, location).read(key, fullKey(key), offset, length);
  }

  @Override
  public ObjectTail tail(String key, int length) {
    Ranges.requirePositive(length);
    return new S3RangedReads(connection, location).tail(key, fullKey(key), length);
  }

  @Override
  public ObjectInfo head(String key) {
    HeadObjectResponse response =
        S3Errors.translating(
            uri(key),
            "looking it up",
            () ->
                client.headObject(
                    r ->
                        r.bucket(location.bucket())
                            .key(fullKey(key))
                            .checksumMode(ChecksumMode.ENABLED)));
    return new ObjectInfo(
        key,
        response.contentLength(),
        response.eTag(),
        S3Checksums.of(
            response.checksumTypeAsString(),
            response.checksumSHA256(),
            response.checksumCRC64NVME(),
            response.checksumCRC32C(),
            response.checksumCRC32()),
        response.lastModified());
  }

  @Override
  public Optional<ObjectInfo> find(String key) {
    try {
      return Optional.of(head(key));
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public Stream<ObjectInfo> list(String prefix) {
    return S3Listing.stream(client, location, prefix);
  }

  @Override
  public ObjectInfo copyFrom(
      ObjectStore source, ObjectInfo object, String key, TransferMonitor monitor) {
    ObjectKeys.requireWritable(key);
    if (source instanceof S3ObjectStore other && connection.reachesBucketsOf(other.connection)) {
      return copyWithinEndpoint(other, object, key, monitor);
    }
    return StreamCopy.copyThrough(source, object, this, key, monitor);
  }

  private ObjectInfo copyWithinEndpoint(
      S3ObjectStore source, ObjectInfo object, String key, TransferMonitor monitor) {
    if (object.sizeBytes() > connection.settings().multipartCopyThresholdBytes()) {
      return copyInParts(source, object, key, monitor);
    }
    CopyObjectResult result =
        S3Errors.translating(
            uri(key),
            "copying " + source.uri(object.key()) + " to it",
            () ->
                client
                    .copyObject(
                        r ->
                            r.sourceBucket(source.location.bucket())
                                .sourceKey(source.fullKey(object.key()))
                                .copySourceIfMatch(object.etag())
                                .destinationBucket(location.bucket())
                                .destinationKey(fullKey(key)))
                    .copyObjectResult());
    monitor.transferred(object.sizeBytes());
    return new ObjectInfo(
        key,
        object.sizeBytes(),
        result.eTag(),
        S3Checksums.of(
            result.checksumTypeAsString(),
            result.checksumSHA256(),
            result.checksumCRC64NVME(),
            result.checksumCRC32C(),
            result.checksumCRC32()),
        result.lastModified());
  }

  private ObjectInfo copyInParts(
      S3ObjectStore source, ObjectInfo object, String key, TransferMonitor monitor) {
    S3MultipartCopy.Source from =
        new S3MultipartCopy.Source(
            source.location.bucket(),
            source.fullKey(object.key()),
            object.sizeBytes(),
            object.etag());
    CompleteMultipartUploadResponse response =
        new S3MultipartCopy(client, monitor).copy(from, location, fullKey(key));
    return new ObjectInfo(
        key,
        object.sizeBytes(),
        response.eTag(),
        S3Checksums.of(
            response.checksumTypeAsString(),
            response.checksumSHA256(),
            response.checksumCRC64NVME(),
            response.checksumCRC32C(),
            response.checksumCRC32()),
        null);
  }

  @Override
  public DeleteResult delete(Collection<String> keys) {
    List<String> fullKeys = keys.stream().map(this::fullKey).toList();
    return new S3Deletes(client, location).delete(fullKeys);
  }

  /** Foreign keys are taken as they are: only the empty one names no object. */
  private String fullKey(String key) {
    String fullKey = location.prefix() + key;
    if (fullKey.isEmpty()) {
      throw StorageErrors.invalidKey(key, "it is empty");
    }
    return fullKey;
  }

  @Override
  public String toString() {
    return location.uri();
  }
}
