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
