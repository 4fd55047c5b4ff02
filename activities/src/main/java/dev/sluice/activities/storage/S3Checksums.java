package dev.sluice.activities.storage;

import org.jspecify.annotations.Nullable;

/** Picks one checksum out of those that an answer carries. */
final class S3Checksums {

  private static final String FULL_OBJECT = "FULL_OBJECT";

  private S3Checksums() {}

  /**
   * The strongest checksum present, or null. Without a type it covers the whole object, unless its
   * value ends with the number of parts.
   */
  static @Nullable ObjectChecksum of(
      @Nullable String type,
      @Nullable String sha256,
      @Nullable String crc64,
      @Nullable String crc32c,
      @Nullable String crc32) {
    if (sha256 != null) {
      return checksum("SHA256", sha256, type);
    }
    if (crc64 != null) {
      return checksum("CRC64NVME", crc64, type);
    }
    if (crc32c != null) {
      return checksum("CRC32C", crc32c, type);
    }
    return crc32 == null ? null : checksum("CRC32", crc32, type);
  }

  private static ObjectChecksum checksum(String algorithm, String value, @Nullable String type) {
    boolean whole = type == null ? !value.contains("-") : type.equals(FULL_OBJECT);
    return new ObjectChecksum(
        algorithm,
        value,
        whole ? ObjectChecksum.Scope.FULL_OBJECT : ObjectChecksum.Scope.COMPOSITE);
  }
}
