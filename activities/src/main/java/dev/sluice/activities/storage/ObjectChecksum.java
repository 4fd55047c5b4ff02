package dev.sluice.activities.storage;

/**
 * A checksum that a store keeps for an object.
 *
 * @param algorithm the store's name for it, such as {@code CRC64NVME} or {@code SHA256}
 * @param value in the store's own text form (base64)
 * @param scope what the value was computed over
 */
public record ObjectChecksum(String algorithm, String value, Scope scope) {

  /** What a checksum covers. */
  public enum Scope {
    /** The whole content: two equal contents have equal values. */
    FULL_OBJECT,
    /** The checksums of the upload's parts: depends on how the object was cut, so says nothing. */
    COMPOSITE
  }

  /** Whether comparing the two values tells whether the contents are the same. */
  public boolean comparableWith(ObjectChecksum other) {
    return scope == Scope.FULL_OBJECT
        && other.scope == Scope.FULL_OBJECT
        && algorithm.equals(other.algorithm);
  }
}
