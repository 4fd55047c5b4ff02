package dev.sluice.activities.storage;

import dev.sluice.activities.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Maps keys to paths below a root directory. No path leaves the root: keys cannot climb, and a
 * symbolic link anywhere below the root is refused, wherever it leads (the root itself may be one).
 */
final class LocalPaths {

  /** Ends the names of files being written; such files are not objects. */
  static final String TEMPORARY_SUFFIX = ".sluice-tmp";

  private final Path root;

  LocalPaths(Path root) {
    this.root = root;
  }

  Path root() {
    return root;
  }

  /** The path of a key, which need not exist. */
  Path resolve(String key) {
    ObjectKeys.requireWritable(key);
    if (key.endsWith(TEMPORARY_SUFFIX)) {
      throw StorageErrors.invalidKey(
          key, "names ending with " + TEMPORARY_SUFFIX + " mark files being written");
    }
    try {
      return root.resolve(key);
    } catch (InvalidPathException e) {
      throw StorageErrors.invalidKey(
          key, "this machine's file names cannot hold it (" + e.getReason() + ")");
    }
  }

  /** The attributes of a key's file, or empty when there is no regular file. */
  Optional<BasicFileAttributes> findFile(String key) {
    Path file = resolve(key);
    if (!requireDirectories(key, file)) {
      return Optional.empty();
    }
    Optional<BasicFileAttributes> attributes = attributes(file);
    if (attributes.isPresent() && attributes.get().isSymbolicLink()) {
      throw StorageErrors.leavesRoot(root, key, file);
    }
    return attributes.filter(BasicFileAttributes::isRegularFile);
  }

  /** The path of a key whose file exists. */
  Path existingFile(String key) {
    if (findFile(key).isEmpty()) {
      requireRoot();
      throw StorageErrors.notFound(root.resolve(key).toString());
    }
    return resolve(key);
  }

  /** Refuses a key whose path would go through a link or a file, or replace a directory. */
  Path writableFile(String key) {
    Path file = resolve(key);
    requireRoot();
    for (Path ancestor = file.getParent();
        ancestor != null && !ancestor.equals(root);
        ancestor = ancestor.getParent()) {
      Optional<BasicFileAttributes> attributes = attributes(ancestor);
      if (attributes.isPresent() && attributes.get().isSymbolicLink()) {
        throw StorageErrors.leavesRoot(root, key, ancestor);
      }
      if (attributes.isPresent() && !attributes.get().isDirectory()) {
        throw StorageErrors.fileInTheWay(root, key, ancestor);
      }
    }
    Optional<BasicFileAttributes> attributes = attributes(file);
    if (attributes.isPresent() && attributes.get().isSymbolicLink()) {
      throw StorageErrors.leavesRoot(root, key, file);
    }
    if (attributes.isPresent() && !attributes.get().isRegularFile()) {
      throw StorageErrors.fileInTheWay(root, key, file);
    }
    return file;
  }

  /** Refuses to work below a root that does not exist: a wrong path must not become a new lake. */
  void requireRoot() {
    if (!Files.isDirectory(root)) {
      throw StorageErrors.missingDirectory(root);
    }
  }

  /** Whether all directories above the file exist; refuses links among them. */
  private boolean requireDirectories(String key, Path file) {
    Path current = root;
    Path relative = root.relativize(file);
    for (int i = 0; i < relative.getNameCount() - 1; i++) {
      current = current.resolve(relative.getName(i));
      Optional<BasicFileAttributes> attributes = attributes(current);
      if (attributes.isPresent() && attributes.get().isSymbolicLink()) {
        throw StorageErrors.leavesRoot(root, key, current);
      }
      if (attributes.isEmpty() || !attributes.get().isDirectory()) {
        return false;
      }
    }
    return true;
  }

  private static Optional<BasicFileAttributes> attributes(Path path) {
    try {
      return Optional.of(
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw failure(path, "looking it up", e);
    }
  }

  /** Translates the file system's errors by type. */
  static StorageException failure(Path path, String action, IOException error) {
    String address = path.toString();
    return switch (error) {
      case ClosedByInterruptException interrupted -> {
        Thread.currentThread().interrupt();
        yield StorageErrors.interrupted(address, action, interrupted);
      }
      case NoSuchFileException missing -> StorageErrors.notFound(address);
      case AccessDeniedException denied ->
          StorageErrors.failed(
              Kind.ACCESS_DENIED, address, action, "the file system denies it", denied);
      default ->
          StorageErrors.failed(
              Kind.UNAVAILABLE, address, action, StorageErrors.reason(error), error);
    };
  }
}
