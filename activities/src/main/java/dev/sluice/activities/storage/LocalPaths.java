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
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Maps keys to paths below a root directory. No path leaves the root: keys cannot climb, and a
 * symbolic link anywhere below the root is refused, wherever it leads (the root itself may be one).
 */
final class LocalPaths {

  /** Ends the names of files being written; such files are not objects. */
  static final String TEMPORARY_SUFFIX = ".sluice-tmp";

  private final Path root;
  private final DirectoryForce directories = new DirectoryForce();
  private volatile @Nullable Path realRoot;

  LocalPaths(Path root) {
    this.root = root;
  }

  Path root() {
    return root;
  }

  /** Makes names durable in the folders below the root. */
  DirectoryForce directories() {
    return directories;
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
    return root.resolve(key);
  }

  /** Refuses a key whose path would go through a link or a file, or replace a directory. */
  Path writableFile(String key) {
    Path file = resolve(key);
    requireWritableFolder(key, file);
    Optional<BasicFileAttributes> attributes = attributes(file);
    if (attributes.isPresent() && attributes.get().isSymbolicLink()) {
      throw StorageErrors.leavesRoot(root, key, file);
    }
    if (attributes.isPresent() && !attributes.get().isRegularFile()) {
      throw StorageErrors.fileInTheWay(root, key, file);
    }
    return file;
  }

  /** Refuses a file that would be written through a link or a file, whatever its own name is. */
  void requireWritableFolder(String key, Path file) {
    if (!isBelowRootWithoutLinks(file)) {
      checkAncestors(key, file);
    }
  }

  /**
   * Asks the system for the real path in one call, which is what a landing of many small files
   * needs; false also where a folder does not exist yet.
   */
  private boolean isBelowRootWithoutLinks(Path file) {
    Path folder = Objects.requireNonNull(file.getParent(), "a key names a file below the root");
    try {
      return folder.toRealPath().equals(realRoot().resolve(root.relativize(folder)))
          && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      return false;
    }
  }

  /** Kept, because a root that means another folder since only costs the longer way. */
  private Path realRoot() throws IOException {
    Path known = realRoot;
    if (known == null) {
      known = root.toRealPath();
      realRoot = known;
    }
    return known;
  }

  /** Looks at every folder on the way, so that a refusal can name the one in the way. */
  private void checkAncestors(String key, Path file) {
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
      // absence is the usual answer for a file to be written, and no exception
      return Optional.ofNullable(
          path.getFileSystem()
              .provider()
              .readAttributesIfExists(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
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
