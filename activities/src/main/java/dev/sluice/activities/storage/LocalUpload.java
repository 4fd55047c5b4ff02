package dev.sluice.activities.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.UUID;

/**
 * Writes a file under a temporary name beside its final one; completing it forces the bytes to
 * disk, renames the file and forces the directory, so that after a crash there is the whole file or
 * none.
 */
final class LocalUpload extends ObjectUpload {

  /** A delete may remove an empty directory between its creation and the file's; then try again. */
  private static final int CREATE_TRIES = 10;

  /** How often a monitor hears of a long transfer. */
  private static final long MONITOR_BYTES = 8L << 20;

  private final LocalPaths paths;
  private final String key;
  private final Path target;
  private final Path temporary;
  private FileChannel channel;
  private final TransferMonitor monitor;
  private long writtenBytes;
  private long reportedBytes;
  private boolean closed;

  LocalUpload(LocalPaths paths, String key, TransferMonitor monitor) {
    this.paths = paths;
    this.key = key;
    this.monitor = monitor;
    this.target = paths.writableFile(key);
    this.temporary = target.resolveSibling("." + UUID.randomUUID() + LocalPaths.TEMPORARY_SUFFIX);
    this.channel = create();
  }

  private FileChannel create() {
    IOException last = null;
    for (int attempt = 0; attempt < CREATE_TRIES; attempt++) {
      try {
        createParents();
        return FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        paths.writableFile(key);
        last = e;
      } catch (IOException e) {
        throw LocalPaths.failure(target, "creating it", e);
      }
    }
    throw LocalPaths.failure(target, "creating it", Objects.requireNonNull(last));
  }

  /** Makes missing directories, each forced into its parent, and none through a link. */
  private void createParents() throws IOException {
    if (Files.isDirectory(Objects.requireNonNull(target.getParent()))) {
      return;
    }
    Path relative = paths.root().relativize(target);
    Path current = paths.root();
    for (int i = 0; i < relative.getNameCount() - 1; i++) {
      Path parent = current;
      current = current.resolve(relative.getName(i));
      if (!Files.isDirectory(current)) {
        try {
          Files.createDirectory(current);
          paths.directories().force(parent);
        } catch (FileAlreadyExistsException e) {
          if (!Files.isDirectory(current)) {
            throw e;
          }
        }
      }
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    requireOpen();
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
    try {
      while (buffer.hasRemaining()) {
        writtenBytes += channel.write(buffer);
      }
    } catch (IOException e) {
      throw LocalPaths.failure(target, "writing it", e);
    }
    report();
  }

  /** Takes everything from a file: the kernel copies, the bytes do not pass through the heap. */
  void writeFrom(FileChannel source, long sizeBytes) {
    requireOpen();
    try {
      long offset = 0;
      while (offset < sizeBytes) {
        long count =
            source.transferTo(offset, Math.min(MONITOR_BYTES, sizeBytes - offset), channel);
        if (count <= 0) {
          return;
        }
        offset += count;
        writtenBytes += count;
        report();
      }
    } catch (IOException e) {
      throw LocalPaths.failure(target, "writing it", e);
    }
  }

  /**
   * Takes a file itself in the place of what would be written.
   *
   * @return false when it lies on another disk; then nothing has happened
   */
  boolean adopt(Path file) throws IOException {
    requireOpen();
    try {
      Files.move(
          file, temporary, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      return false;
    }
    channel.close();
    channel = FileChannel.open(temporary, StandardOpenOption.WRITE);
    writtenBytes = channel.size();
    return true;
  }

  private void report() {
    if (writtenBytes - reportedBytes >= MONITOR_BYTES) {
      reportedBytes = writtenBytes;
      monitor.transferred(writtenBytes);
    }
  }

  @Override
  public long writtenBytes() {
    return writtenBytes;
  }

  @Override
  public ObjectInfo complete() {
    requireOpen();
    if (reportedBytes < writtenBytes || writtenBytes == 0) {
      monitor.transferred(writtenBytes);
    }
    try {
      channel.force(true);
      channel.close();
      // The name itself was looked at in the beginning. A rename never goes through a link that
      // came
      // there since, and fails on a directory.
      paths.requireWritableFolder(key, target);
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      closed = true;
      paths.directories().force(Objects.requireNonNull(target.getParent()));
      BasicFileAttributes attributes = Files.readAttributes(target, BasicFileAttributes.class);
      return new ObjectInfo(
          key, writtenBytes, null, null, attributes.lastModifiedTime().toInstant());
    } catch (IOException e) {
      throw LocalPaths.failure(target, "completing it", e);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      channel.close();
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      throw LocalPaths.failure(temporary, "removing it", e);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(target + ": the upload is closed");
    }
  }
}
