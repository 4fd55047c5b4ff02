package dev.sluice.catalog.read;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Catalog contents by schema version; the least recently used one goes first. Thread-safe. */
final class ContentsCache {

  private static final float LOAD_FACTOR = 0.75f;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, CatalogContents> byVersion;
  private long newestSeen = -1;

  ContentsCache(int size) {
    byVersion =
        new LinkedHashMap<>(size, LOAD_FACTOR, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, CatalogContents> eldest) {
            return size() > size;
          }
        };
  }

  /**
   * Notes which snapshot is the newest. An older one than before means that the lake was restored
   * from a backup: its versions count anew and may mean something else.
   */
  void newest(long snapshot) {
    lock.lock();
    try {
      if (snapshot < newestSeen) {
        byVersion.clear();
      }
      newestSeen = snapshot;
    } finally {
      lock.unlock();
    }
  }

  Optional<CatalogContents> find(long version) {
    lock.lock();
    try {
      return Optional.ofNullable(byVersion.get(version));
    } finally {
      lock.unlock();
    }
  }

  void put(long version, CatalogContents contents) {
    lock.lock();
    try {
      byVersion.put(version, contents);
    } finally {
      lock.unlock();
    }
  }
}
