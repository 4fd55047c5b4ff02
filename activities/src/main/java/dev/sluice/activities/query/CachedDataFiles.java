package dev.sluice.activities.query;

import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The files of a lake in an object store, copied to a local folder when they are wanted. Files of a
 * lake never change under one path, so a copy stays good; the ones used longest ago make room.
 *
 * <p>The folder holds at most the given number of bytes, or what the open leases need if that is
 * more. It belongs to this object alone: what was in it is removed at the start.
 */
public final class CachedDataFiles implements DataFiles {

  /** Hides the latency of single requests without crowding the store. */
  private static final int DOWNLOADS = 16;

  private static final String SUFFIX = ".parquet";

  private final ObjectStore store;
  private final Path folder;
  private final long maxBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private long bytes;

  /**
   * A cache for files below a store's root.
   *
   * @param store holds the files; its location must be a prefix of their paths
   * @param folder made when missing; its Parquet files are removed
   * @param maxBytes most bytes that are kept while nobody needs them, above 0
   * @throws QueryException if the folder cannot be used
   */
  public CachedDataFiles(ObjectStore store, Path folder, long maxBytes) {
    if (maxBytes <= 0) {
      throw new IllegalArgumentException("the cache needs more than 0 bytes, got " + maxBytes);
    }
    this.store = store;
    this.folder = folder;
    this.maxBytes = maxBytes;
    empty();
  }

  /** Half of the cache, so that two scans at a time stay within it. */
  @Override
  public long leaseBytes() {
    return Math.max(1, maxBytes / 2);
  }

  @Override
  public Lease lease(Collection<WantedFile> files) {
    Map<String, WantedFile> distinct = new LinkedHashMap<>();
    files.forEach(file -> distinct.put(file.path(), file));
    Map<String, Entry> held = new LinkedHashMap<>();
    List<Entry> toFetch = new ArrayList<>();
    lock.lock();
    try {
      for (WantedFile file : distinct.values()) {
        // taken out and put back, so that the order is that of the last use
        Entry entry = entries.remove(file.path());
        if (entry == null) {
          entry = new Entry(file, folder.resolve(fileName(file.path())));
          toFetch.add(entry);
          bytes += file.sizeBytes();
        }
        entries.put(file.path(), entry);
        entry.pins++;
        held.put(file.path(), entry);
      }
      makeRoom();
    } finally {
      lock.unlock();
    }
    CachedLease lease = new CachedLease(held);
    try {
      fetch(toFetch);
      held.values().forEach(Entry::await);
      return lease;
    } catch (RuntimeException e) {
      lease.close();
      throw e;
    }
  }

  private void fetch(List<Entry> toFetch) {
    try {
      Parallel.run(
          toFetch,
          DOWNLOADS,
          entry -> {
            download(entry);
            return entry;
          },
          (entry, done) -> {});
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw QueryErrors.interrupted(toFetch.get(0).file.path());
    } finally {
      toFetch.forEach(this::giveUpUnfinished);
    }
  }

  private void download(Entry entry) {
    String path = entry.file.path();
    String key =
        store
            .location()
            .keyOf(path)
            .orElseThrow(() -> QueryErrors.outside(path, store.location().uri()));
    Path partial = entry.local.resolveSibling(entry.local.getFileName() + ".part");
    try (InputStream content = store.open(key)) {
      Files.copy(content, partial, StandardCopyOption.REPLACE_EXISTING);
      long size = Files.size(partial);
      if (size != entry.file.sizeBytes()) {
        Files.delete(partial);
        throw QueryErrors.wrongSize(path, entry.file.sizeBytes(), size);
      }
      Files.move(partial, entry.local, StandardCopyOption.ATOMIC_MOVE);
      entry.done.complete(entry.local);
    } catch (StorageException e) {
      throw e.kind() == StorageException.Kind.NOT_FOUND
          ? QueryErrors.missing(path)
          : QueryErrors.cannotFetch(path, e);
    } catch (IOException e) {
      throw QueryErrors.cannotFetch(path, e);
    }
  }

  /** Others may wait for a download that failed or never began: they fail too, and may try anew. */
  private void giveUpUnfinished(Entry entry) {
    if (entry.done.isDone()) {
      return;
    }
    lock.lock();
    try {
      if (entries.remove(entry.file.path(), entry)) {
        bytes -= entry.file.sizeBytes();
      }
    } finally {
      lock.unlock();
    }
    entry.done.completeExceptionally(
        QueryErrors.cannotFetch(
            entry.file.path(), new IOException("another scan that fetched it failed")));
  }

  /** Called under the lock. */
  private void makeRoom() {
    Iterator<Entry> oldestFirst = entries.values().iterator();
    while (bytes > maxBytes && oldestFirst.hasNext()) {
      Entry entry = oldestFirst.next();
      if (entry.pins == 0 && entry.done.isDone()) {
        delete(entry.local);
        bytes -= entry.file.sizeBytes();
        oldestFirst.remove();
      }
    }
  }

  private void release(Collection<Entry> held) {
    lock.lock();
    try {
      held.forEach(entry -> entry.pins--);
      makeRoom();
    } finally {
      lock.unlock();
    }
  }

  private void empty() {
    try {
      Files.createDirectories(folder);
      try (DirectoryStream<Path> leftOver =
          Files.newDirectoryStream(folder, "*{" + SUFFIX + "," + SUFFIX + ".part}")) {
        leftOver.forEach(this::delete);
      }
    } catch (IOException e) {
      throw QueryErrors.cacheUnusable(folder, e);
    }
  }

  private void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw QueryErrors.cacheUnusable(folder, e);
    }
  }

  private static String fileName(String path) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash) + SUFFIX;
    } catch (NoSuchAlgorithmException everyJvmHasIt) {
      throw new IllegalStateException(everyJvmHasIt);
    }
  }

  /** Guarded by the lock but for {@code done}. */
  private static final class Entry {
    private final WantedFile file;
    private final Path local;
    private final CompletableFuture<Path> done = new CompletableFuture<>();
    private int pins;

    Entry(WantedFile file, Path local) {
      this.file = file;
      this.local = local;
    }

    void await() {
      try {
        done.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof QueryException failure ? failure : e;
      }
    }
  }

  private final class CachedLease implements Lease {

    private final Map<String, Entry> held;
    private boolean closed;

    CachedLease(Map<String, Entry> held) {
      this.held = held;
    }

    @Override
    public Path local(String path) {
      return Objects.requireNonNull(held.get(path), path).local;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        release(held.values());
      }
    }
  }
}
