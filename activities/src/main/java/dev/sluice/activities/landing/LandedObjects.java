package dev.sluice.activities.landing;

import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What lies below a landing prefix, by one listing. A DuckDB elsewhere that cleans orphaned files
 * may have removed what was landed long ago and not yet registered: such a file is landed again,
 * and a catalog row never names an object that is gone. Immutable.
 */
public final class LandedObjects {

  /** Signs of life are given once per so many listed objects. */
  private static final int BEAT_EVERY = 1000;

  private final ObjectStore lake;
  private final Map<String, Long> sizes;

  private LandedObjects(ObjectStore lake, Map<String, Long> sizes) {
    this.lake = lake;
    this.sizes = sizes;
  }

  /**
   * Lists a landing.
   *
   * @param alive called now and then while the listing goes on
   */
  public static LandedObjects list(ObjectStore lake, String prefix, Runnable alive) {
    Map<String, Long> sizes = new HashMap<>();
    try (Stream<ObjectInfo> listed = lake.list(prefix)) {
      listed.forEach(
          object -> {
            sizes.put(object.key(), object.sizeBytes());
            if (sizes.size() % BEAT_EVERY == 0) {
              alive.run();
            }
          });
    }
    return new LandedObjects(lake, sizes);
  }

  /** Whether the file lies there with its size. */
  public boolean holds(LandingFile file) {
    Long size = sizes.get(file.landedKey());
    return size != null && size == file.sizeBytes();
  }

  /**
   * Checks that every file lies there with its size.
   *
   * @throws LandingException naming the first that is missing or has another size
   */
  public void requireAll(List<LandingFile> files) {
    for (LandingFile file : files) {
      Long size = sizes.get(file.landedKey());
      if (size == null) {
        throw LandingErrors.vanished(lake.uri(file.landedKey()));
      }
      if (size != file.sizeBytes()) {
        throw LandingErrors.landedSizeChanged(lake.uri(file.landedKey()), file.sizeBytes(), size);
      }
    }
  }
}
