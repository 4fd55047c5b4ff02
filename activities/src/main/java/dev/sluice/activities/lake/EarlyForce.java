package dev.sluice.activities.lake;

import dev.sluice.activities.parallel.Threads;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has a folder's files forced to the disk while somebody else still writes them. Whoever forces
 * them at their end then waits for the last piece only, and the disk is not idle before. For one
 * thread.
 */
final class EarlyForce implements AutoCloseable {

  /** A piece that takes a disk some ten milliseconds; small files are done before the first one. */
  private static final long PIECE_MILLIS = 100;

  private final Path folder;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable IOException failure;

  private EarlyForce(Path folder) {
    this.folder = folder;
    this.thread = Thread.ofPlatform().daemon().name("early-force").unstarted(this::run);
  }

  /** Work that writes the files. */
  @FunctionalInterface
  interface Work<T, X extends Exception> {
    T run() throws X;
  }

  /**
   * Works, while the files are forced.
   *
   * @param folder need not be there yet
   * @throws WriteException when the disk refused a piece: the system tells that only once, so that
   *     the force at the end would not hear of it
   */
  static <T, X extends Exception> T during(Path folder, Work<T, X> work) throws X {
    try (EarlyForce force = new EarlyForce(folder)) {
      force.thread.start();
      return work.run();
    }
  }

  private void run() {
    try {
      while (!end.await(PIECE_MILLIS, TimeUnit.MILLISECONDS)) {
        forceAll();
      }
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void forceAll() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, Files::isRegularFile)) {
      for (Path file : files) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
          channel.force(false);
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      // not made yet, or given up by its writer
    } catch (DirectoryIteratorException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }

  /** Ends it, and waits until the disk is left alone. */
  @Override
  public void close() {
    end.countDown();
    Threads.awaitEnd(thread);
    IOException refused = failure;
    if (refused != null) {
      throw WriteErrors.folderUnusable(folder, refused);
    }
  }
}
