package dev.sluice.activities.storage;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Whether two objects hold the same content. Judged by size, then by checksums where both stores
 * keep comparable ones, then by the content itself. ETags are never compared: the same content
 * uploaded in parts has another ETag than uploaded whole, and an ETag need not be a digest at all.
 */
public final class Sameness {

  private static final int BUFFER_BYTES = 256 << 10;

  private Sameness() {}

  /** What sizes and checksums alone tell. */
  public enum Verdict {
    /** Equal size and equal checksums over the whole content. */
    SAME,
    /** Another size or another checksum. */
    DIFFERENT,
    /** Equal size and no checksums that can be compared: only the content can tell. */
    UNKNOWN
  }

  /** Judges by what is known without reading. Two empty objects are the same. */
  public static Verdict byDescription(ObjectInfo left, ObjectInfo right) {
    if (left.sizeBytes() != right.sizeBytes()) {
      return Verdict.DIFFERENT;
    }
    if (left.sizeBytes() == 0) {
      return Verdict.SAME;
    }
    ObjectChecksum leftChecksum = left.checksum();
    ObjectChecksum rightChecksum = right.checksum();
    if (leftChecksum == null
        || rightChecksum == null
        || !leftChecksum.comparableWith(rightChecksum)) {
      return Verdict.UNKNOWN;
    }
    return leftChecksum.value().equals(rightChecksum.value()) ? Verdict.SAME : Verdict.DIFFERENT;
  }

  /**
   * Judges for certain: looks both objects up and reads them when their descriptions do not tell.
   *
   * @throws StorageException when either cannot be read
   */
  public static boolean holds(
      ObjectStore leftStore, String leftKey, ObjectStore rightStore, String rightKey) {
    return switch (byDescription(leftStore.head(leftKey), rightStore.head(rightKey))) {
      case SAME -> true;
      case DIFFERENT -> false;
      case UNKNOWN -> sameContent(leftStore, leftKey, rightStore, rightKey);
    };
  }

  private static boolean sameContent(
      ObjectStore leftStore, String leftKey, ObjectStore rightStore, String rightKey) {
    try (InputStream left = leftStore.open(leftKey);
        InputStream right = rightStore.open(rightKey)) {
      byte[] leftBytes = new byte[BUFFER_BYTES];
      byte[] rightBytes = new byte[BUFFER_BYTES];
      while (true) {
        if (Thread.currentThread().isInterrupted()) {
          throw StorageErrors.interrupted(leftStore.uri(leftKey), "comparing it", null);
        }
        int leftCount = left.readNBytes(leftBytes, 0, BUFFER_BYTES);
        int rightCount = right.readNBytes(rightBytes, 0, BUFFER_BYTES);
        if (!Arrays.equals(leftBytes, 0, leftCount, rightBytes, 0, rightCount)) {
          return false;
        }
        if (leftCount < BUFFER_BYTES) {
          return true;
        }
      }
    } catch (IOException e) {
      String action = "comparing it with " + rightStore.uri(rightKey);
      throw Thread.currentThread().isInterrupted()
          ? StorageErrors.interrupted(leftStore.uri(leftKey), action, e)
          : StorageErrors.failed(
              StorageException.Kind.UNAVAILABLE,
              leftStore.uri(leftKey),
              action,
              StorageErrors.reason(e),
              e);
    }
  }
}
