package dev.sluice.worker.demo;

import dev.sluice.activities.delta.DeltaException;
import dev.sluice.activities.delta.DeltaFile;
import dev.sluice.activities.delta.DeltaTable;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which versions of a Delta table on this machine the demo copies. */
final class DeltaVersions {

  /** The folder of a table's log. */
  static final String LOG = "_delta_log";

  /** Enough to see one follow another; a table of thousands is not copied thousands of times. */
  private static final int MOST = 4;

  private static final Pattern LOG_FILE = Pattern.compile("([0-9]{20})\\..+");
  private static final Pattern COMMIT = Pattern.compile("([0-9]{20})\\.json");

  private DeltaVersions() {}

  /**
   * The newest versions in their order: the newest of all, readable or not, and those before it of
   * which every file is still there.
   *
   * @return empty when the log has no commit
   * @throws DemoException when the log's folder cannot be listed
   */
  static List<Long> of(Path table) {
    List<Long> newestFirst = new ArrayList<>();
    try (ObjectStores stores = ObjectStores.localOnly()) {
      ObjectStore store = stores.open(new StorageLocation.Local(table.toAbsolutePath()));
      for (long version : commits(table.resolve(LOG))) {
        if (newestFirst.size() == MOST || !(newestFirst.isEmpty() || isWhole(store, version))) {
          break;
        }
        newestFirst.add(version);
      }
    }
    return newestFirst.reversed();
  }

  /** Whether a file of a log tells about nothing newer than the version. */
  static boolean isOf(long version, Path logFile) {
    Matcher name = LOG_FILE.matcher(logFile.getFileName().toString());
    return !name.matches() || Long.parseLong(name.group(1)) <= version;
  }

  private static boolean isWhole(ObjectStore store, long version) {
    try (Stream<DeltaFile> files =
        DeltaTable.in(store).snapshot(OptionalLong.of(version)).files()) {
      return files.allMatch(file -> store.find(file.key()).isPresent());
    } catch (DeltaException unreadable) {
      return false;
    }
  }

  private static List<Long> commits(Path log) {
    try (Stream<Path> files = Files.list(log)) {
      return files
          .map(file -> COMMIT.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(commit -> Long.valueOf(commit.group(1)))
          .sorted((one, other) -> Long.compare(other, one))
          .toList();
    } catch (IOException e) {
      throw DemoErrors.unreadable(log, e);
    }
  }
}
