package dev.sluice.activities.storage;

import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * Writes an object of unknown length: one request while it is small, a multipart upload once it is
 * larger than a part. Holds at most a part being filled and {@link #PARALLEL_PARTS} in flight.
 */
final class S3Upload extends ObjectUpload {

  /** Eight MiB: with three in flight an upload needs 32 MiB of heap. */
  static final int PART_BYTES = 8 << 20;

  private static final int PARALLEL_PARTS = 3;

  /**
   * Up to here (39 GiB) all parts are of one size, which some endpoints demand; only beyond it do
   * parts double, so that 10,000 parts are enough for more than 500 GiB.
   */
  private static final int EQUAL_PARTS = 5_000;

  private static final int PARTS_PER_DOUBLING = 1_000;
  private static final int LARGEST_DOUBLING = 4;
  private static final int FIRST_BUFFER_BYTES = 64 << 10;

  private final S3Client client;
  private final StorageLocation.S3 location;
  private final String key;
  private final String fullKey;
  private final TransferMonitor monitor;
  private byte[] buffer = new byte[FIRST_BUFFER_BYTES];
  private int buffered;
  private int partCount;
  private long writtenBytes;
  private @Nullable S3Multipart multipart;
  private boolean closed;

  S3Upload(S3Client client, StorageLocation.S3 location, String key, TransferMonitor monitor) {
    this.client = client;
    this.location = location;
    this.key = key;
    this.fullKey = location.prefix() + key;
    this.monitor = monitor;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    requireOpen();
    int from = offset;
    int left = length;
    while (left > 0) {
      int partBytes = partBytes(partCount + 1);
      if (buffered == partBytes) {
        sendPart();
        continue;
      }
      int taken = Math.min(left, partBytes - buffered);
      ensureBuffer(buffered + taken, partBytes);
      System.arraycopy(bytes, from, buffer, buffered, taken);
      buffered += taken;
      from += taken;
      left -= taken;
    }
    writtenBytes += length;
  }

  @Override
  public long writtenBytes() {
    return writtenBytes;
  }

  @Override
  public ObjectInfo complete() {
    requireOpen();
    ObjectInfo stored = multipart == null ? putWhole() : completeParts(multipart);
    closed = true;
    return stored;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (multipart != null) {
      multipart.close();
    }
  }

  static int partBytes(int number) {
    int doublings =
        Math.max(0, (number - EQUAL_PARTS + PARTS_PER_DOUBLING - 1) / PARTS_PER_DOUBLING);
    return PART_BYTES << Math.min(doublings, LARGEST_DOUBLING);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(location.uri(key) + ": the upload is closed");
    }
  }

  private void ensureBuffer(int needed, int partBytes) {
    if (needed > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.min(partBytes, Math.max(needed, buffer.length * 2)));
    }
  }

  private void sendPart() {
    S3Multipart upload = multipart;
    if (upload == null) {
      upload = new S3Multipart(client, location, fullKey, PARALLEL_PARTS, monitor);
      multipart = upload;
    }
    byte[] part = buffer;
    int length = buffered;
    upload.submit(length, (uploadId, number) -> uploadPart(part, length, uploadId, number));
    partCount++;
    buffer = new byte[partBytes(partCount + 1)];
    buffered = 0;
  }

  private CompletedPart uploadPart(byte[] part, int length, String uploadId, int number) {
    String md5 = S3ContentMd5.of(part, length);
    UploadPartResponse stored =
        client.uploadPart(
            r ->
                r.bucket(location.bucket())
                    .key(fullKey)
                    .uploadId(uploadId)
                    .partNumber(number)
                    .contentMD5(md5),
            body(part, length));
    return S3Multipart.completedPart(
        number,
        stored.eTag(),
        stored.checksumCRC32(),
        stored.checksumCRC32C(),
        stored.checksumCRC64NVME(),
        stored.checksumSHA1(),
        stored.checksumSHA256());
  }

  private ObjectInfo putWhole() {
    byte[] content = buffer;
    int length = buffered;
    String md5 = S3ContentMd5.of(content, length);
    PutObjectResponse stored =
        S3Errors.translating(
            location.uri(key),
            "storing it",
            () ->
                client.putObject(
                    r -> r.bucket(location.bucket()).key(fullKey).contentMD5(md5),
                    body(content, length)));
    monitor.transferred(length);
    return new ObjectInfo(
        key,
        length,
        stored.eTag(),
        S3Checksums.of(
            stored.checksumTypeAsString(),
            stored.checksumSHA256(),
            stored.checksumCRC64NVME(),
            stored.checksumCRC32C(),
            stored.checksumCRC32()),
        null);
  }

  private ObjectInfo completeParts(S3Multipart upload) {
    if (buffered > 0) {
      sendPart();
    }
    CompleteMultipartUploadResponse stored = upload.complete();
    return new ObjectInfo(
        key,
        writtenBytes,
        stored.eTag(),
        S3Checksums.of(
            stored.checksumTypeAsString(),
            stored.checksumSHA256(),
            stored.checksumCRC64NVME(),
            stored.checksumCRC32C(),
            stored.checksumCRC32()),
        null);
  }

  private static RequestBody body(byte[] content, int length) {
    return RequestBody.fromContentProvider(
        () -> new ByteArrayInputStream(content, 0, length), length, "application/octet-stream");
  }
}
