package dev.sluice.activities.temporal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.Util;

/** Scratch files on their way into prepared folders. */
final class PreparedFiles {

  private static final int TRAILER_BYTES = 8;
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final Path FOLDER = newFolder();

  private PreparedFiles() {}

  private static Path newFolder() {
    try {
      Path folder = Files.createTempDirectory("sluice-prepared");
      folder.toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A path that is not used yet. */
  static Path temporary() {
    return FOLDER.resolve("file-" + NUMBER.incrementAndGet() + ".parquet");
  }

  /** Takes the content of a scratch file; the file is gone afterwards. */
  static byte[] bytes(Path file) {
    try {
      byte[] content = Files.readAllBytes(file);
      Files.delete(file);
      return content;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same file with another footer. */
  static byte[] withFooter(byte[] parquet, Consumer<FileMetaData> edit) {
    try {
      int length =
          ByteBuffer.wrap(parquet)
              .order(ByteOrder.LITTLE_ENDIAN)
              .getInt(parquet.length - TRAILER_BYTES);
      int start = parquet.length - TRAILER_BYTES - length;
      FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(parquet, start, length));
      edit.accept(footer);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(parquet, 0, start);
      Util.writeFileMetaData(footer, out);
      byte[] trailer = Arrays.copyOfRange(parquet, parquet.length - TRAILER_BYTES, parquet.length);
      ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN).putInt(0, out.size() - start);
      out.write(trailer);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same rows in a file of a given size: landing itself finds any other size. */
  static byte[] padded(byte[] parquet, long size) {
    if (parquet.length == size) {
      return parquet;
    }
    for (int length = 0; length < size; length++) {
      KeyValue padding = new KeyValue("padding");
      padding.setValue("x".repeat(length));
      byte[] padded = withFooter(parquet, footer -> footer.setKey_value_metadata(List.of(padding)));
      if (padded.length == size) {
        return padded;
      }
    }
    throw new IllegalStateException(
        "no padding makes %d bytes of %d".formatted(size, parquet.length));
  }
}
