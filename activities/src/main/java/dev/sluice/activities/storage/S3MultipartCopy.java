package dev.sluice.activities.storage;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CopyPartResult;

/** Copies a large object within an endpoint, part by part. No bytes pass through this process. */
final class S3MultipartCopy {

  /** Small enough to stop soon and to run side by side, large enough for few requests. */
  static final long SMALLEST_PART_BYTES = 64L << 20;

  private static final long MIB = 1L << 20;

  /** Parts in flight: copies inside an endpoint are bound by its disks, not by ours. */
  private static final int PARALLEL_PARTS = 16;

  private final S3Client client;
  private final TransferMonitor monitor;

  S3MultipartCopy(S3Client client, TransferMonitor monitor) {
    this.client = client;
    this.monitor = monitor;
  }

  /** An object of the endpoint, by bucket and whole key; the etag is null when none is required. */
  record Source(String bucket, String fullKey, long sizeBytes, @Nullable String etag) {}

  CompleteMultipartUploadResponse copy(
      Source source, StorageLocation.S3 targetLocation, String targetKey) {
    long partBytes = partBytes(source.sizeBytes());
    try (S3Multipart upload =
        new S3Multipart(client, targetLocation, targetKey, PARALLEL_PARTS, monitor)) {
      for (long offset = 0; offset < source.sizeBytes(); offset += partBytes) {
        long first = offset;
        long last = Math.min(offset + partBytes, source.sizeBytes()) - 1;
        upload.submit(
            last - first + 1,
            (uploadId, number) ->
                copyPart(source, targetLocation, targetKey, uploadId, number, first, last));
      }
      return upload.complete();
    }
  }

  /** Grows with the object, in whole MiB, so that there are never more than 10,000 parts. */
  static long partBytes(long sizeBytes) {
    long needed = Math.ceilDiv(sizeBytes, (long) S3Multipart.MAX_PARTS);
    return Math.max(SMALLEST_PART_BYTES, Math.ceilDiv(needed, MIB) * MIB);
  }

  private CompletedPart copyPart(
      Source source,
      StorageLocation.S3 targetLocation,
      String targetKey,
      String uploadId,
      int number,
      long first,
      long last) {
    CopyPartResult result =
        client
            .uploadPartCopy(
                r ->
                    r.sourceBucket(source.bucket())
                        .sourceKey(source.fullKey())
                        .copySourceIfMatch(source.etag())
                        .copySourceRange("bytes=" + first + "-" + last)
                        .destinationBucket(targetLocation.bucket())
                        .destinationKey(targetKey)
                        .uploadId(uploadId)
                        .partNumber(number))
            .copyPartResult();
    return S3Multipart.completedPart(
        number,
        result.eTag(),
        result.checksumCRC32(),
        result.checksumCRC32C(),
        result.checksumCRC64NVME(),
        result.checksumSHA1(),
        result.checksumSHA256());
  }
}
