package dev.sluice.activities.parquet.write;

import dev.sluice.activities.storage.ObjectUpload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/**
 * An upload as Parquet wants it: written once from start to end. Closing it completes nothing. It
 * remembers the last bytes, because the footer's length stands there.
 */
final class StoreOutputFile implements OutputFile {

  private static final long NO_BLOCKS = 0;

  /** Four bytes of length, four of magic. */
  private static final int TRAILER_BYTES = 8;

  private final ObjectUpload upload;
  private final String path;
  private final byte[] trailer = new byte[TRAILER_BYTES];
  private long position;
  private boolean discarding;

  StoreOutputFile(ObjectUpload upload, String path) {
    this.upload = upload;
    this.path = path;
  }

  /** From now on what is written goes nowhere: the writer can be closed without a store. */
  void discard() {
    discarding = true;
  }

  /** Length of the footer of a file that was written to its end. */
  long footerSize() {
    return ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }

  @Override
  public PositionOutputStream create(long blockSizeHint) {
    return new Stream();
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSizeHint) {
    return create(blockSizeHint);
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return NO_BLOCKS;
  }

  @Override
  public String getPath() {
    return path;
  }

  private final class Stream extends PositionOutputStream {

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (!discarding) {
        upload.write(bytes, offset, length);
      }
      position += length;
      int kept = Math.min(length, TRAILER_BYTES);
      System.arraycopy(trailer, kept, trailer, 0, TRAILER_BYTES - kept);
      System.arraycopy(bytes, offset + length - kept, trailer, TRAILER_BYTES - kept, kept);
    }
  }
}
