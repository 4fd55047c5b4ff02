package dev.sluice.activities.storage;

import java.io.OutputStream;

/**
 * An object that is being written. Nothing is visible under its key until {@link #complete()};
 * {@link #close()} without it throws away what was written. Errors are {@link StorageException}s,
 * not {@code IOException}s. For one thread at a time.
 */
public abstract class ObjectUpload extends OutputStream {

  /** For implementations in this package. */
  ObjectUpload() {}

  @Override
  public final void write(int singleByte) {
    write(new byte[] {(byte) singleByte}, 0, 1);
  }

  @Override
  public final void write(byte[] bytes) {
    write(bytes, 0, bytes.length);
  }

  @Override
  public abstract void write(byte[] bytes, int offset, int length);

  /** Does nothing: what has been written becomes durable with {@link #complete()} only. */
  @Override
  public final void flush() {}

  /** Bytes written so far. */
  public abstract long writtenBytes();

  /**
   * Stores everything written as the object's content, replacing an older object. When it returns,
   * the object is durable and visible. May be called once.
   */
  public abstract ObjectInfo complete();

  /** Gives the upload up unless it was completed; then does nothing. */
  @Override
  public abstract void close();
}
