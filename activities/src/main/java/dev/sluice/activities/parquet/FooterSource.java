package dev.sluice.activities.parquet;

/**
 * Where footers are read from: objects that can be read in ranges.
 *
 * <p>Implementations are safe for any number of threads and report failures of their own kind (an
 * object that is missing, a store that does not answer); these pass through untouched.
 */
public interface FooterSource {

  /** Reads the last bytes of an object, at most {@code length} of them, and its size. */
  Tail tail(String key, int length);

  /** Reads exactly {@code length} bytes from {@code offset} on. */
  byte[] read(String key, long offset, int length);

  /**
   * The end of an object.
   *
   * @param bytes the last bytes; all of a short object. Not copied
   * @param sizeBytes length of the whole object
   */
  @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
  record Tail(byte[] bytes, long sizeBytes) {}
}
