package dev.sluice.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A temporary folder that belongs to this JVM for as long as a file lock in it is held. A killed
 * JVM loses its locks, so the next one that makes a folder sweeps what was left behind, including a
 * PostgreSQL server that still runs there; leftovers do not pile up.
 */
final class ScratchFolder implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ScratchFolder.class);
  private static final String LOCK_FILE = "owner.lock";
  private static final String OWNER_FILE = "owner";
  private static final long END_WAIT_SECONDS = 10;
  private static final Object IN_THIS_JVM = new Object();
  // Never opened again here: closing any channel on a file gives up this JVM's lock on it.
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel lockChannel;

  private ScratchFolder(Path folder, FileChannel lockChannel) {
    this.folder = folder;
    this.lockChannel = lockChannel;
  }

  /** Makes a new folder named after its kind, having swept those of JVMs that are gone. */
  static ScratchFolder create(String kind) {
    Path parent = parent();
    try {
      Files.createDirectories(parent);
      return underGate(
          parent,
          () -> {
            sweep(parent);
            Path folder = Files.createDirectory(parent.resolve(kind + "-" + UUID.randomUUID()));
            FileChannel channel = openLockFile(folder.resolve(LOCK_FILE));
            if (channel.tryLock() == null) {
              throw new IOException("the new folder's lock is held by another process");
            }
            Files.writeString(folder.resolve(OWNER_FILE), identity(ProcessHandle.current()));
            OWN.add(folder);
            return new ScratchFolder(folder, channel);
          });
    } catch (IOException e) {
      throw EmbeddedErrors.folderUnusable(parent, e);
    }
  }

  Path path() {
    return folder;
  }

  /**
   * Removes the folder and gives up the lock; what cannot be removed is left to the next sweep.
   * While its lock is held nobody else sweeps it, so that only its end needs the gate: a server's
   * thousands of files would hold up every JVM that starts or ends.
   */
  @Override
  public void close() {
    try {
      deleteContents();
      underGate(
          parent(),
          () -> {
            deleteRecursively(folder);
            lockChannel.close();
            OWN.remove(folder);
            return folder;
          });
    } catch (IOException e) {
      log.warn("{} could not be removed now: {}", folder, e.toString());
    }
  }

  private void deleteContents() throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> children;
    try (Stream<Path> listed = Files.list(folder)) {
      children = listed.toList();
    }
    for (Path child : children) {
      if (!child.endsWith(LOCK_FILE) && !child.endsWith(OWNER_FILE)) {
        deleteRecursively(child);
      }
    }
  }

  /** Sweeping, making and removing exclude each other, in this JVM and between JVMs. */
  private static <T> T underGate(Path parent, Work<T> work) throws IOException {
    synchronized (IN_THIS_JVM) {
      try (FileChannel gate = openLockFile(parent.resolve("sweep.lock"));
          FileLock held = gate.lock()) {
        log.trace("in {} under {}", parent, held);
        return work.run();
      }
    }
  }

  private static Path parent() {
    String user = System.getProperty("user.name", "unknown").replaceAll("[^A-Za-z0-9_-]", "_");
    return Path.of(System.getProperty("java.io.tmpdir")).resolve("sluice-embedded-" + user);
  }

  private static FileChannel openLockFile(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static void sweep(Path parent) throws IOException {
    List<Path> folders;
    try (Stream<Path> children = Files.list(parent)) {
      folders = children.filter(Files::isDirectory).filter(each -> !OWN.contains(each)).toList();
    }
    for (Path folder : folders) {
      try {
        if (ownerIsGone(folder)) {
          log.info("removing {}, left behind by a JVM that is gone", folder);
          postmasterIn(folder).ifPresent(ScratchFolder::endWithChildren);
          deleteRecursively(folder);
        }
      } catch (IOException e) {
        log.warn("{} could not be removed now: {}", folder, e.toString());
      }
    }
  }

  /** Locks can be lost in more ways than by a process's end, so the process is looked for too. */
  private static boolean ownerIsGone(Path folder) throws IOException {
    Path owner = folder.resolve(OWNER_FILE);
    if (Files.exists(owner)) {
      String recorded = Files.readString(owner);
      boolean lives =
          firstLine(owner)
              .flatMap(ProcessHandle::of)
              .map(process -> identity(process).equals(recorded))
              .orElse(false);
      if (lives) {
        return false;
      }
    }
    try (FileChannel channel = openLockFile(folder.resolve(LOCK_FILE));
        FileLock lock = channel.tryLock()) {
      return lock != null;
    } catch (OverlappingFileLockException heldByThisJvm) {
      return false;
    }
  }

  /** Number and start, since numbers are used again. */
  private static String identity(ProcessHandle process) {
    return process.pid()
        + "\n"
        + process.info().startInstant().map(Instant::toString).orElse("unknown");
  }

  /** The PostgreSQL server whose data folder is this one or lies directly in it. */
  static Optional<ProcessHandle> postmasterIn(Path folder) {
    return Stream.of(folder, folder.resolve("data"))
        .map(place -> place.resolve("postmaster.pid"))
        .filter(Files::isRegularFile)
        .flatMap(file -> firstLine(file).stream())
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .filter(process -> process.info().command().orElse("").contains("postgres"))
        .findFirst();
  }

  private static Optional<Long> firstLine(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.findFirst().map(String::strip).map(Long::valueOf);
    } catch (IOException | UncheckedIOException | NumberFormatException unreadable) {
      log.debug("{} names no process: {}", file, unreadable.toString());
      return Optional.empty();
    }
  }

  /** Ends a process and its children at once, as a crash would, and waits until they are gone. */
  static void endWithChildren(ProcessHandle process) {
    List<ProcessHandle> family = Stream.concat(Stream.of(process), process.descendants()).toList();
    family.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle member : family) {
      try {
        member.onExit().get(END_WAIT_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
        log.warn("process {} has not ended: {}", member.pid(), e.toString());
      }
    }
  }

  static void deleteRecursively(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private interface Work<T> {
    T run() throws IOException;
  }
}
