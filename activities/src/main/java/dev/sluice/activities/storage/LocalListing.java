package dev.sluice.activities.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Walks a directory tree in the order in which S3 lists keys, one directory at a time. Links are
 * passed over, as are files being written; a file that vanishes meanwhile is left out.
 */
final class LocalListing implements Iterator<ObjectInfo> {

  private final Path root;
  private final String prefix;
  private final Deque<Iterator<Entry>> directories = new ArrayDeque<>();
  private @Nullable ObjectInfo next;

  private LocalListing(Path root, String prefix) {
    this.root = root;
    this.prefix = prefix;
    directories.push(children(root, "").iterator());
    advance();
  }

  static Stream<ObjectInfo> stream(LocalPaths paths, String prefix) {
    paths.requireRoot();
    LocalListing listing = new LocalListing(paths.root(), prefix);
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            listing, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT),
        false);
  }

  /** A file, or a directory with its attributes; the key of a directory ends with a slash. */
  private record Entry(String key, BasicFileAttributes attributes) {

    static int byKeyBytes(Entry left, Entry right) {
      return Arrays.compareUnsigned(
          left.key.getBytes(StandardCharsets.UTF_8), right.key.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public ObjectInfo next() {
    ObjectInfo current = next;
    if (current == null) {
      throw new NoSuchElementException();
    }
    advance();
    return current;
  }

  private void advance() {
    while (!directories.isEmpty()) {
      Iterator<Entry> entries = directories.getFirst();
      if (!entries.hasNext()) {
        directories.pop();
        continue;
      }
      Entry entry = entries.next();
      if (entry.attributes().isDirectory()) {
        directories.push(children(root.resolve(entry.key()), entry.key()).iterator());
        continue;
      }
      next =
          new ObjectInfo(
              entry.key(),
              entry.attributes().size(),
              null,
              null,
              entry.attributes().lastModifiedTime().toInstant());
      return;
    }
    next = null;
  }

  private List<Entry> children(Path directory, String directoryKey) {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
      for (Path child : children) {
        addChild(child, directoryKey, entries);
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw LocalPaths.failure(directory, "listing it", Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw LocalPaths.failure(directory, "listing it", e);
    }
    entries.sort(Entry::byKeyBytes);
    return entries;
  }

  private void addChild(Path child, String directoryKey, List<Entry> entries) throws IOException {
    String key = directoryKey + child.getFileName();
    if (key.endsWith(LocalPaths.TEMPORARY_SUFFIX)) {
      return;
    }
    BasicFileAttributes attributes;
    try {
      attributes =
          Files.readAttributes(child, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return;
    }
    if (attributes.isDirectory()) {
      String directory = key + "/";
      if (directory.startsWith(prefix) || prefix.startsWith(directory)) {
        entries.add(new Entry(directory, attributes));
      }
    } else if (attributes.isRegularFile() && key.startsWith(prefix)) {
      entries.add(new Entry(key, attributes));
    }
  }
}
