package dev.sluice.activities.delta;

import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * Bytes of a log file as Kernel reads them: from anywhere, in order otherwise. Bytes come from a
 * window that is fetched anew when the position leaves it. Used by one thread.
 */
final class LogStream extends SeekableInputStream {

  /** Reads ranges of one file. */
  interface Ranges {

    /** The bytes from {@code offset}, {@code length} of them, fewer only where the file ends. */
    byte[] read(long offset, int length);
  }

  private final Ranges ranges;
  private final long sizeBytes;
  private final int windowBytes;
  private byte[] window = new byte[0];
  private long windowStart;
  private long position;

  /** Reads content that is in memory. */
  static LogStream of(byte[] content) {
    LogStream stream = new LogStream((offset, length) -> content, content.length, content.length);
    stream.window = content;
    return stream;
  }

  LogStream(Ranges ranges, long sizeBytes, int windowBytes) {
    this.ranges = ranges;
    this.sizeBytes = sizeBytes;
    this.windowBytes = windowBytes;
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public void seek(long newPosition) throws IOException {
    if (newPosition < 0 || newPosition > sizeBytes) {
      throw new EOFException(
          "position " + newPosition + " is outside a file of " + sizeBytes + " bytes");
    }
    position = newPosition;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (position >= sizeBytes) {
      return -1;
    }
    int at = windowOffset(length);
    int count = Math.min(length, window.length - at);
    System.arraycopy(window, at, target, offset, count);
    position += count;
    return count;
  }

  /**
   * Where in the window the position is; fetches a new window when it is not in there. At the end
   * of a file the window begins before the position: Parquet is read from its end.
   */
  private int windowOffset(int wanted) {
    long at = position - windowStart;
    if (at < 0 || at >= window.length) {
      int length = Math.toIntExact(Math.min(sizeBytes, Math.max(windowBytes, wanted)));
      windowStart = Math.min(position, sizeBytes - length);
      window = ranges.read(windowStart, length);
      at = position - windowStart;
      if (at >= window.length) {
        throw new UncheckedIOException(
            new EOFException("the file has fewer than " + sizeBytes + " bytes"));
      }
    }
    return Math.toIntExact(at);
  }

  @Override
  public void readFully(byte[] target, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int count = read(target, offset + done, length - done);
      if (count <= 0) {
        throw new EOFException("the file ends " + (length - done) + " bytes before what is asked");
      }
      done += count;
    }
  }
}
