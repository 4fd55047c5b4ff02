package dev.sluice.activities.parquet;

import java.io.InputStream;
import java.util.Objects;

/**
 * Bytes as a stream without locks: Thrift reads a footer byte by byte, and taking {@link
 * java.io.ByteArrayInputStream}'s lock for each was half of what decoding cost. Not thread-safe.
 */
final class FooterBytes extends InputStream {

  private static final int UNSIGNED = 0xff;

  private final byte[] bytes;
  private final int end;
  private int position;

  FooterBytes(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    this.bytes = bytes;
    this.position = offset;
    this.end = offset + length;
  }

  @Override
  public int read() {
    return position == end ? -1 : bytes[position++] & UNSIGNED;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    int count = Math.min(length, end - position);
    if (count <= 0) {
      return -1;
    }
    System.arraycopy(bytes, position, target, offset, count);
    position += count;
    return count;
  }

  @Override
  public long skip(long count) {
    int skipped = Math.toIntExact(Math.clamp(count, 0, end - position));
    position += skipped;
    return skipped;
  }

  @Override
  public int available() {
    return end - position;
  }
}
