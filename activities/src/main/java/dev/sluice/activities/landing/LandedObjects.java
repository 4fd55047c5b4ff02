package dev.sluice.activities.landing;

import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Looks whether landed objects are still there. A DuckDB elsewhere that cleans orphaned files may
 * have removed what was landed long ago and not yet registered; a catalog row must never name an
 * object that is gone.
 */
public final class LandedObjects {

  private LandedObjects() {}

  /**
   * Checks that every file lies in the lake's store with its size, by one listing of the prefix.
   *
   * @throws LandingException naming the first that is missing or has another size
   */
  public static void requireComplete(ObjectStore lake, String prefix, List<LandingFile> files) {
    Map<String, Long> sizes = new HashMap<>();
    try (Stream<ObjectInfo> listed = lake.list(prefix)) {
      listed.forEach(object -> sizes.put(object.key(), object.sizeBytes()));
    }
    for (LandingFile file : files) {
      Long size = sizes.get(file.landedKey());
      if (size == null) {
        throw LandingErrors.vanished(lake.uri(file.landedKey()));
      }
      if (size != file.sizeBytes()) {
        throw LandingErrors.sizeChanged(lake.uri(file.landedKey()), file.sizeBytes(), size);
      }
    }
  }
}
