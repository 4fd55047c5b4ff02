package dev.sluice.activities.storage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * One multipart upload: parts run side by side on virtual threads, and it ends either completed or
 * aborted. For one thread; the monitor is called on it.
 */
final class S3Multipart implements AutoCloseable {

  /** The protocol's limit. */
  static final int MAX_PARTS = 10_000;

  /**
   * A part in flight while an upload is aborted can be stored after it, so aborting is repeated.
   */
  private static final int ABORT_TRIES = 3;

  private final S3Client client;
  private final String bucket;
  private final String key;
  private final String address;
  private final int window;
  private final TransferMonitor monitor;
  private final String uploadId;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorCompletionService<StoredPart> running =
      new ExecutorCompletionService<>(threads);
  private final List<CompletedPart> stored = new ArrayList<>();
  private int submittedCount;
  private long storedBytes;
  private boolean completed;

  /** Opens the upload at the endpoint. {@code window}: parts in flight at a time. */
  S3Multipart(
      S3Client client,
      StorageLocation.S3 location,
      String fullKey,
      int window,
      TransferMonitor monitor) {
    this.client = client;
    this.bucket = location.bucket();
    this.key = fullKey;
    this.address = StorageLocation.S3_SCHEME + bucket + "/" + fullKey;
    this.window = window;
    this.monitor = monitor;
    this.uploadId =
        S3Errors.translating(
            address,
            "opening a multipart upload",
            () -> client.createMultipartUpload(r -> r.bucket(bucket).key(key)).uploadId());
  }

  private record StoredPart(CompletedPart part, long sizeBytes) {}

  /**
   * Adds a part, waiting while the window is full.
   *
   * @param transfer given the upload's id and the part's number, stores the part
   */
  void submit(long sizeBytes, BiFunction<String, Integer, CompletedPart> transfer) {
    if (submittedCount == MAX_PARTS) {
      throw StorageErrors.unexpectedAnswer(
          address, "storing it", "it would need more than " + MAX_PARTS + " parts");
    }
    if (submittedCount - stored.size() >= window) {
      awaitPart();
    }
    submittedCount++;
    int number = submittedCount;
    running.submit(() -> new StoredPart(transferPart(transfer, number), sizeBytes));
  }

  private CompletedPart transferPart(
      BiFunction<String, Integer, CompletedPart> transfer, int number) {
    return S3Errors.translating(
        address, "storing part " + number, () -> transfer.apply(uploadId, number));
  }

  private void awaitPart() {
    StoredPart part;
    try {
      part = running.take().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StorageErrors.interrupted(address, "storing parts", e);
    } catch (ExecutionException e) {
      throw rethrown(e);
    }
    stored.add(part.part());
    storedBytes += part.sizeBytes();
    monitor.transferred(storedBytes);
  }

  private static RuntimeException rethrown(ExecutionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof RuntimeException failure) {
      return failure;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(cause);
  }

  /** Waits for the parts and makes the object visible. */
  CompleteMultipartUploadResponse complete() {
    while (stored.size() < submittedCount) {
      awaitPart();
    }
    stored.sort(Comparator.comparing(CompletedPart::partNumber));
    CompleteMultipartUploadResponse response =
        S3Errors.translating(
            address,
            "completing the multipart upload",
            () ->
                client.completeMultipartUpload(
                    r ->
                        r.bucket(bucket)
                            .key(key)
                            .uploadId(uploadId)
                            .multipartUpload(u -> u.parts(stored))));
    completed = true;
    threads.close();
    return response;
  }

  /** Aborts the upload unless it was completed, also on a thread that was interrupted. */
  @Override
  public void close() {
    if (completed) {
      return;
    }
    threads.shutdownNow();
    // The clean-up needs requests and waits, which an interrupted thread may not make.
    boolean interrupted = Thread.interrupted();
    try {
      interrupted |= awaitThreads();
      abort();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean awaitThreads() {
    try {
      boolean ended =
          threads.awaitTermination(S3Settings.SILENCE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      if (!ended) {
        // Its part may arrive after the abort; the check that follows the abort notices it.
        return false;
      }
    } catch (InterruptedException e) {
      return true;
    }
    return false;
  }

  private void abort() {
    SdkException lastFailure = null;
    for (int attempt = 0; attempt < ABORT_TRIES; attempt++) {
      try {
        client.abortMultipartUpload(r -> r.bucket(bucket).key(key).uploadId(uploadId));
        lastFailure = null;
      } catch (NoSuchUploadException e) {
        return;
      } catch (SdkException e) {
        lastFailure = e;
      }
      if (lastFailure == null && isGone()) {
        return;
      }
    }
    if (lastFailure != null) {
      throw StorageErrors.uploadLeftOpen(address, uploadId, lastFailure);
    }
  }

  /**
   * An answer that is no answer (no permission to ask) counts as gone: the abort itself succeeded.
   */
  private boolean isGone() {
    try {
      client.listParts(r -> r.bucket(bucket).key(key).uploadId(uploadId));
      return false;
    } catch (S3Exception e) {
      return true;
    } catch (SdkException e) {
      return true;
    }
  }

  /** What a stored part's answer says, with whatever checksums the endpoint keeps. */
  static CompletedPart completedPart(
      int number,
      @Nullable String etag,
      @Nullable String crc32,
      @Nullable String crc32c,
      @Nullable String crc64,
      @Nullable String sha1,
      @Nullable String sha256) {
    return CompletedPart.builder()
        .partNumber(number)
        .eTag(etag)
        .checksumCRC32(crc32)
        .checksumCRC32C(crc32c)
        .checksumCRC64NVME(crc64)
        .checksumSHA1(sha1)
        .checksumSHA256(sha256)
        .build();
  }
}
