package dev.sluice.activities.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A directory. Keys are paths below it; directories exist only as long as they hold objects, so
 * that the store behaves as one without directories would.
 */
final class LocalObjectStore implements ObjectStore {

  private final StorageLocation.Local location;
  private final LocalPaths paths;

  LocalObjectStore(StorageLocation.Local location) {
    this.location = location;
    this.paths = new LocalPaths(location.directory());
  }

  @Override
  public StorageLocation location() {
    return location;
  }

  @Override
  public ObjectInfo put(String key, byte[] content) {
    try (ObjectUpload upload = upload(key)) {
      upload.write(content);
      return upload.complete();
    }
  }

  @Override
  public ObjectInfo put(String key, InputStream content, TransferMonitor monitor) {
    try (ObjectUpload upload = new LocalUpload(paths, key, monitor)) {
      StreamCopy.copy(content, upload, uri(key));
      return upload.complete();
    }
  }

  @Override
  public ObjectInfo take(Path file, String key) {
    try (LocalUpload upload = new LocalUpload(paths, key, TransferMonitor.NONE)) {
      if (!upload.adopt(file)) {
        try (FileChannel content = FileChannel.open(file, StandardOpenOption.READ)) {
          upload.writeFrom(content, content.size());
        }
      }
      ObjectInfo stored = upload.complete();
      Files.deleteIfExists(file);
      return stored;
    } catch (IOException e) {
      throw LocalPaths.failure(file, "moving it to " + uri(key), e);
    }
  }

  @Override
  public ObjectUpload upload(String key) {
    return new LocalUpload(paths, key, TransferMonitor.NONE);
  }

  @Override
  public InputStream open(String key) {
    return Channels.newInputStream(openChannel(key));
  }

  @Override
  public byte[] read(String key, long offset, int length) {
    Ranges.requireValid(offset, length);
    if (length == 0) {
      return new byte[0];
    }
    try (FileChannel channel = openChannel(key)) {
      if (offset >= channel.size()) {
        throw StorageErrors.rangeBehindEnd(uri(key), offset, null);
      }
      return readFully(channel, offset, length);
    } catch (IOException e) {
      throw LocalPaths.failure(paths.resolve(key), "reading it", e);
    }
  }

  @Override
  public ObjectTail tail(String key, int length) {
    Ranges.requirePositive(length);
    try (FileChannel channel = openChannel(key)) {
      long sizeBytes = channel.size();
      int count = Math.toIntExact(Math.min(length, sizeBytes));
      return new ObjectTail(readFully(channel, sizeBytes - count, count), sizeBytes, null);
    } catch (IOException e) {
      throw LocalPaths.failure(paths.resolve(key), "reading it", e);
    }
  }

  private FileChannel openChannel(String key) {
    Path file = paths.existingFile(key);
    try {
      return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      throw LocalPaths.failure(file, "opening it", e);
    }
  }

  private static byte[] readFully(FileChannel channel, long offset, int length) throws IOException {
    int available = Math.toIntExact(Math.min(length, channel.size() - offset));
    ByteBuffer buffer = ByteBuffer.allocate(available);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, offset + buffer.position()) < 0) {
        return Arrays.copyOf(buffer.array(), buffer.position());
      }
    }
    return buffer.array();
  }

  @Override
  public ObjectInfo head(String key) {
    return find(key)
        .orElseThrow(
            () -> {
              paths.requireRoot();
              return StorageErrors.notFound(uri(key));
            });
  }

  @Override
  public Optional<ObjectInfo> find(String key) {
    return paths
        .findFile(key)
        .map(
            attributes ->
                new ObjectInfo(
                    key, attributes.size(), null, null, attributes.lastModifiedTime().toInstant()));
  }

  @Override
  public Stream<ObjectInfo> list(String prefix) {
    return LocalListing.stream(paths, prefix);
  }

  @Override
  public ObjectInfo copyFrom(
      ObjectStore source, ObjectInfo object, String key, TransferMonitor monitor) {
    if (!(source instanceof LocalObjectStore other)) {
      return StreamCopy.copyThrough(source, object, this, key, monitor);
    }
    try (FileChannel channel = other.openChannel(object.key());
        LocalUpload upload = new LocalUpload(paths, key, monitor)) {
      long sizeBytes = channel.size();
      if (sizeBytes != object.sizeBytes()) {
        throw StorageErrors.sourceChanged(
            other.uri(object.key()),
            "it was listed with %d bytes and now has %d".formatted(object.sizeBytes(), sizeBytes));
      }
      upload.writeFrom(channel, sizeBytes);
      if (upload.writtenBytes() != sizeBytes) {
        throw StorageErrors.sourceChanged(other.uri(object.key()), "it became shorter");
      }
      return upload.complete();
    } catch (IOException e) {
      throw LocalPaths.failure(paths.resolve(key), "copying to it", e);
    }
  }

  @Override
  public DeleteResult delete(Collection<String> keys) {
    paths.requireRoot();
    List<DeleteResult.Failure> failures = new ArrayList<>();
    Set<String> distinct = new LinkedHashSet<>(keys);
    for (String key : distinct) {
      try {
        deleteFile(key);
      } catch (StorageException e) {
        if (e.kind() == StorageException.Kind.INTERRUPTED) {
          throw e;
        }
        failures.add(new DeleteResult.Failure(key, e.kind().name(), StorageErrors.reason(e)));
      }
    }
    return new DeleteResult(distinct.size() - failures.size(), failures);
  }

  private void deleteFile(String key) {
    if (Thread.currentThread().isInterrupted()) {
      throw StorageErrors.interrupted(uri(key), "deleting it", null);
    }
    if (paths.findFile(key).isEmpty()) {
      return;
    }
    Path file = paths.resolve(key);
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw LocalPaths.failure(file, "deleting it", e);
    }
    removeEmptyParents(file);
  }

  private void removeEmptyParents(Path file) {
    for (Path parent = file.getParent();
        parent != null && !parent.equals(paths.root());
        parent = parent.getParent()) {
      try {
        Files.delete(parent);
      } catch (DirectoryNotEmptyException | NoSuchFileException e) {
        return;
      } catch (IOException e) {
        throw LocalPaths.failure(parent, "removing the empty directory", e);
      }
    }
  }

  @Override
  public String toString() {
    return location.uri();
  }
}
