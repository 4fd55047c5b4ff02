package dev.sluice.activities.temporal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Scratch files on their way into prepared folders. */
final class PreparedFiles {

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
}
