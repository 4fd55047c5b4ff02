package dev.sluice.worker.bench;

import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.activities.temporal.Limits;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The work underneath ours, done as plainly as it can be: the same objects copied and the same
 * bytes read with the same number of requests in flight, nothing noted, checked or decoded.
 */
final class BareWork {

  private BareWork() {}

  /**
   * Copies objects as durably as a landing does: bytes forced to disk, renamed, directory forced;
   * on S3 one copy request each, which the endpoint carries out.
   */
  static void copy(ObjectStore source, ObjectStore target, List<LandingFile> files) {
    Consumer<LandingFile> copy =
        switch (source.location()) {
          case StorageLocation.S3 s3 ->
              file ->
                  target.copyFrom(
                      source,
                      new ObjectInfo(file.sourceKey(), file.sizeBytes(), null, null, null),
                      file.landedKey(),
                      TransferMonitor.NONE);
          case StorageLocation.Local local -> {
            Path from = local.directory();
            Path to = Path.of(target.location().uri());
            yield file -> copyFile(from.resolve(file.sourceKey()), to.resolve(file.landedKey()));
          }
        };
    try (ExecutorService pool = Executors.newFixedThreadPool(Limits.DEFAULT_COPIES)) {
      List<Future<?>> running =
          files.stream().<Future<?>>map(file -> pool.submit(() -> copy.accept(file))).toList();
      for (Future<?> each : running) {
        await(each);
      }
    }
  }

  private static void await(Future<?> running) {
    try {
      running.get();
    } catch (ExecutionException e) {
      throw BenchErrors.failed("a bare copy", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw BenchErrors.failed("a bare copy", e);
    }
  }

  private static void copyFile(Path from, Path to) {
    Path folder = Objects.requireNonNull(to.getParent(), "a landed file lies in a folder");
    Path temporary = to.resolveSibling(to.getFileName() + ".tmp");
    try {
      Files.createDirectories(folder);
      Files.copy(from, temporary);
      force(temporary, StandardOpenOption.WRITE);
      Files.move(temporary, to, StandardCopyOption.ATOMIC_MOVE);
      force(folder, StandardOpenOption.READ);
    } catch (IOException e) {
      throw BenchErrors.folder("a bare copy", e);
    }
  }

  private static void force(Path file, StandardOpenOption access) throws IOException {
    try (FileChannel opened = FileChannel.open(file, access)) {
      opened.force(true);
    }
  }

  /**
   * Asks for the names of all objects below a prefix, page by page, as a look at a landing does.
   */
  static void list(ObjectStore store, String prefix) {
    try (Stream<ObjectInfo> listed = store.list(prefix)) {
      listed.forEach(object -> {});
    }
  }

  /** Reads the end of every object, as reading all footers once does. */
  static void readTails(ObjectStore store, List<String> keys) throws InterruptedException {
    Parallel.run(
        keys,
        ParquetFooters.DEFAULT_IN_FLIGHT,
        key -> store.tail(key, ParquetFooters.DEFAULT_TAIL_BYTES),
        (key, tail) -> {});
  }
}
