package dev.sluice.activities.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Objects below one root: a bucket with a prefix, or a local directory. Keys are relative to the
 * root and taken literally ({@link ObjectKeys}); reading and deleting accept every key that {@link
 * #list(String)} returned.
 *
 * <p>Every method throws {@link StorageException} and nothing else. Requests that fail for a
 * passing reason were repeated before that. Interrupting the calling thread ends a call within one
 * object or part, with kind INTERRUPTED. Stores are light views that need no closing; they are safe
 * for any number of threads, virtual ones included. They stop working when the {@link ObjectStores}
 * they came from is closed.
 */
public interface ObjectStore {

  /** The root of this store. */
  StorageLocation location();

  /** The address of an object for DuckDB and catalogs; see {@link StorageLocation#uri(String)}. */
  default String uri(String key) {
    return location().uri(key);
  }

  /** Stores a small object, replacing an older one. */
  ObjectInfo put(String key, byte[] content);

  /**
   * Stores everything the stream gives, of any length, replacing an older object. The stream is not
   * closed. When reading the stream fails nothing is stored.
   */
  ObjectInfo put(String key, InputStream content, TransferMonitor monitor);

  /**
   * Makes a finished file of this machine an object, replacing an older one; the file is gone
   * afterwards. Where the store lies on the file's own disk the file itself becomes the object,
   * elsewhere its content is sent. As with every put the object is durable on return.
   *
   * @param file a regular file that nobody writes any more
   */
  default ObjectInfo take(Path file, String key) {
    try {
      ObjectInfo stored;
      try (InputStream content = Files.newInputStream(file)) {
        stored = put(key, content, TransferMonitor.NONE);
      }
      Files.delete(file);
      return stored;
    } catch (IOException e) {
      throw LocalPaths.failure(file, "sending it to " + uri(key), e);
    }
  }

  /** Starts writing an object piece by piece. */
  ObjectUpload upload(String key);

  /**
   * Opens the whole content for reading. The caller closes it; it holds a connection until then.
   */
  InputStream open(String key);

  /**
   * Reads a range: the bytes from {@code offset} up to {@code length} of them, fewer only where the
   * object ends.
   *
   * @throws StorageException of kind INVALID_RANGE when {@code offset} is behind the end
   */
  byte[] read(String key, long offset, int length);

  /** Reads the last bytes of an object, at most {@code length} of them, and its size. */
  ObjectTail tail(String key, int length);

  /**
   * What the store says about an object.
   *
   * @throws StorageException of kind NOT_FOUND when there is none
   */
  ObjectInfo head(String key);

  /** What the store says about an object, or empty when there is none. */
  Optional<ObjectInfo> find(String key);

  /** Whether there is an object; every error other than its absence is thrown. */
  default boolean exists(String key) {
    return find(key).isPresent();
  }

  /**
   * Lists all objects whose key begins with the prefix, which is plain text and may end anywhere in
   * a key; the empty prefix lists everything. Pages are fetched as the stream is read. The order is
   * the store's own: by the UTF-8 bytes of the keys, except that some endpoints place characters
   * outside the basic plane differently, so whoever needs an order sorts. Directories of a local
   * store are not objects.
   */
  Stream<ObjectInfo> list(String prefix);

  /**
   * Copies an object of another (or the same) store to a key of this one, replacing an older
   * object. Within one S3 connection the endpoint copies, in parts when the object is large;
   * otherwise the bytes go through this process. The copy is independent of its source.
   *
   * @param object as listed or looked up in {@code source}: its size chooses the way of copying,
   *     its etag (unless null) is required of the source
   * @throws StorageException of kind SOURCE_CHANGED when the source is no longer that object
   */
  ObjectInfo copyFrom(ObjectStore source, ObjectInfo object, String key, TransferMonitor monitor);

  /** Copies an object after looking it up; see the other form. */
  default ObjectInfo copyFrom(ObjectStore source, String sourceKey, String key) {
    return copyFrom(source, source.head(sourceKey), key, TransferMonitor.NONE);
  }

  /**
   * Deletes objects, in batches where the store can. A key without an object counts as deleted.
   * Failures of single keys are in the result, not thrown: a caller has to look at it.
   */
  DeleteResult delete(Collection<String> keys);
}
