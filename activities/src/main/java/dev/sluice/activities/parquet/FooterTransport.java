package dev.sluice.activities.parquet;

import java.util.Objects;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.transport.TEndpointTransport;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/**
 * A footer that Thrift reads where it lies in memory. Given a stream it asks for one byte after the
 * other, which was most of what decoding cost. No length in a footer may exceed the footer's own.
 * Not thread-safe.
 */
final class FooterTransport extends TEndpointTransport {

  private final byte[] bytes;
  private final int end;
  private int position;

  /**
   * A footer that stands in {@code length} bytes from {@code offset} on.
   *
   * @throws TTransportException never, says Thrift's constructor
   */
  FooterTransport(byte[] bytes, int offset, int length) throws TTransportException {
    super(TConfiguration.custom().setMaxMessageSize(length).build());
    Objects.checkFromIndexSize(offset, length, bytes.length);
    this.bytes = bytes;
    this.position = offset;
    this.end = offset + length;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void open() {
    // memory needs no opening
  }

  @Override
  public void close() {
    // nor closing
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    int count = Math.min(length, getBytesRemainingInBuffer());
    System.arraycopy(bytes, position, target, offset, count);
    position += count;
    return count;
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    throw new UnsupportedOperationException("footers are read only");
  }

  @Override
  public byte[] getBuffer() {
    return bytes;
  }

  @Override
  public int getBufferPosition() {
    return position;
  }

  @Override
  public int getBytesRemainingInBuffer() {
    return end - position;
  }

  @Override
  public void consumeBuffer(int length) {
    position += length;
  }
}
