package dev.sluice.activities.storage;

import dev.sluice.activities.storage.StorageException.Kind;
import java.io.IOException;
import java.io.InputStream;

/** Moves bytes through this process, where no store can copy by itself. */
final class StreamCopy {

  private static final int BUFFER_BYTES = 256 << 10;

  private StreamCopy() {}

  /** Copies the stream to its end; stops with kind INTERRUPTED when the thread is interrupted. */
  static void copy(InputStream content, ObjectUpload target, String address) {
    byte[] buffer = new byte[BUFFER_BYTES];
    while (true) {
      if (Thread.currentThread().isInterrupted()) {
        throw StorageErrors.interrupted(address, "storing it", null);
      }
      int count;
      try {
        count = content.read(buffer);
      } catch (IOException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw StorageErrors.interrupted(address, "storing it", e);
        }
        throw StorageErrors.sourceUnreadable(address, e);
      }
      if (count < 0) {
        return;
      }
      target.write(buffer, 0, count);
    }
  }

  /** Copies an object between stores that do not know each other. */
  static ObjectInfo copyThrough(
      ObjectStore source,
      ObjectInfo object,
      ObjectStore target,
      String key,
      TransferMonitor monitor) {
    ObjectInfo stored;
    try (InputStream content = source.open(object.key())) {
      stored =
          target.put(key, new ExpectedLength(content, object.sizeBytes(), source, object), monitor);
    } catch (IOException e) {
      throw StorageErrors.failed(
          Kind.UNAVAILABLE, source.uri(object.key()), "closing it", StorageErrors.reason(e), e);
    }
    return stored;
  }

  /** Refuses content that is longer or shorter than the listing said, before it becomes visible. */
  private static final class ExpectedLength extends InputStream {
    private final InputStream delegate;
    private final long expectedBytes;
    private final ObjectStore source;
    private final ObjectInfo object;
    private long readBytes;

    ExpectedLength(
        InputStream delegate, long expectedBytes, ObjectStore source, ObjectInfo object) {
      this.delegate = delegate;
      this.expectedBytes = expectedBytes;
      this.source = source;
      this.object = object;
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = delegate.read(target, offset, length);
      readBytes += Math.max(0, count);
      boolean ended = count < 0;
      if (readBytes > expectedBytes || (ended && readBytes < expectedBytes)) {
        throw StorageErrors.sourceChanged(
            source.uri(object.key()),
            "it was listed with %d bytes and now has %s"
                .formatted(expectedBytes, ended ? readBytes + " bytes" : "more"));
      }
      return count;
    }
  }
}
