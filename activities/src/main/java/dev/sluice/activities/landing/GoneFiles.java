package dev.sluice.activities.landing;

import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells a version that cannot be read from one whose files went away. Stateless. */
public final class GoneFiles {

  private GoneFiles() {}

  /**
   * Looks for the files of a version after reading them has failed; lists the table's folder.
   *
   * @param table the table's folder
   * @param sizes the files' sizes in bytes by their keys, as the log has them
   * @param failure how reading failed
   * @throws SourceFilesGoneException when one is not there any more, or has another size
   */
  public static void rethrowIfAny(
      ObjectStore table, long version, Map<String, Long> sizes, Exception failure) {
    Map<String, Long> missing = new HashMap<>(sizes);
    try (Stream<ObjectInfo> listed = table.list("")) {
      listed.forEach(object -> missing.remove(object.key(), object.sizeBytes()));
    }
    Optional<String> gone = missing.keySet().stream().sorted().findFirst();
    if (gone.isPresent()) {
      throw LandingErrors.fileGone(table.uri(gone.get()), version, failure);
    }
  }
}
