package dev.sluice.activities.delta;

import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.activities.storage.StorageLocation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The log files of a table, from one listing. Everything that is decided about versions is decided
 * from it, so that what is decided holds together; memory is about 200 bytes a log file.
 *
 * <p>The pointer {@code _last_checkpoint} is not read: it may be stale or ahead of what is listed.
 * Checksum files ({@code .crc}) are passed over, since they outlive a log that was rebuilt and
 * would then describe another table.
 */
final class LogListing {

  /** Where the log lies below the table's folder. */
  static final String FOLDER = "_delta_log/";

  /** Versions have 20 digits and are below 2^63, so that the first one is always 0. */
  private static final String VERSIONED = FOLDER + "0";

  private static final Pattern COMMIT = Pattern.compile("(\\d{20})\\.json");
  private static final Pattern COMPACTED =
      Pattern.compile("(\\d{20})\\.(\\d{20})\\.compacted\\.json");
  private static final Pattern CHECKPOINT =
      Pattern.compile(
          "(\\d{20})\\.checkpoint(?:\\.(\\d{10})\\.(\\d{10})\\.parquet|(?:\\.[^.]+)?\\.parquet|\\.[^.]+\\.json)");

  private final StorageLocation table;
  private final NavigableMap<String, LogFile> byName;
  private final TreeSet<Long> commits = new TreeSet<>();
  private final TreeSet<Long> checkpoints = new TreeSet<>();

  /**
   * An object of the log.
   *
   * @param name its name in the log's folder
   */
  record LogFile(String name, long sizeBytes, Instant modifiedAt) {

    /** The object's key below the table's folder. */
    String key() {
      return FOLDER + name;
    }
  }

  private LogListing(StorageLocation table, NavigableMap<String, LogFile> byName) {
    this.table = table;
    this.byName = byName;
    Map<String, Set<String>> parts = new HashMap<>();
    for (LogFile file : byName.values()) {
      classify(file, parts);
    }
  }

  /**
   * Lists a table's log.
   *
   * @throws DeltaException of kind NOT_A_DELTA_TABLE or LOG_NOT_READY
   */
  static LogListing of(ObjectStore folder) {
    StorageLocation table = folder.location();
    NavigableMap<String, LogFile> files = new TreeMap<>();
    try (Stream<ObjectInfo> objects = folder.list(VERSIONED)) {
      objects.forEach(object -> add(object, files));
    } catch (StorageException e) {
      throw isMissingFolder(e, table) ? DeltaErrors.noSuchLocation(table) : e;
    }
    LogListing listing = new LogListing(table, files);
    if (listing.commits.isEmpty()) {
      throw listing.nothingToRead(folder);
    }
    listing.earliest();
    return listing;
  }

  private static void add(ObjectInfo object, Map<String, LogFile> files) {
    String name = object.key().substring(FOLDER.length());
    if (COMMIT.matcher(name).matches()
        || COMPACTED.matcher(name).matches()
        || CHECKPOINT.matcher(name).matches()) {
      Instant modified = object.lastModified();
      files.put(
          name, new LogFile(name, object.sizeBytes(), modified == null ? Instant.EPOCH : modified));
    }
  }

  /** A missing bucket stays what it is: the connection is wrong, not the table's location. */
  private static boolean isMissingFolder(StorageException e, StorageLocation table) {
    return e.kind() == StorageException.Kind.MISSING_BUCKET
        && table instanceof StorageLocation.Local;
  }

  private DeltaException nothingToRead(ObjectStore folder) {
    if (holdsSomething(folder, FOLDER)) {
      return DeltaErrors.noCommitYet(table);
    }
    return holdsSomething(folder, "")
        ? DeltaErrors.noLog(table)
        : DeltaErrors.noSuchLocation(table);
  }

  private static boolean holdsSomething(ObjectStore folder, String prefix) {
    try (Stream<ObjectInfo> objects = folder.list(prefix)) {
      return objects.findFirst().isPresent();
    }
  }

  private void classify(LogFile file, Map<String, Set<String>> parts) {
    Matcher commit = COMMIT.matcher(file.name());
    if (commit.matches()) {
      commits.add(Long.valueOf(commit.group(1)));
      return;
    }
    Matcher checkpoint = CHECKPOINT.matcher(file.name());
    if (!checkpoint.matches() || file.sizeBytes() == 0) {
      return;
    }
    String version = checkpoint.group(1);
    String total = checkpoint.group(3);
    if (total == null) {
      checkpoints.add(Long.valueOf(version));
      return;
    }
    Set<String> found = parts.computeIfAbsent(version + "/" + total, key -> new HashSet<>());
    found.add(checkpoint.group(2));
    if (found.size() == Long.parseLong(total, 10)) {
      checkpoints.add(Long.valueOf(version));
    }
  }

  /** The newest version. */
  long latest() {
    return commits.last();
  }

  /**
   * The oldest version that can be built: 0, or the first complete checkpoint.
   *
   * @throws DeltaException of kind LOG_NOT_READY when there is neither
   */
  long earliest() {
    if (commits.first() == 0) {
      return 0;
    }
    return checkpoints.stream()
        .filter(commits::contains)
        .findFirst()
        .orElseThrow(() -> DeltaErrors.noStart(table, commits.first()));
  }

  /**
   * Checks that a version can be built: the last complete checkpoint at or before it, or version 0,
   * and every commit since.
   *
   * @throws DeltaException of kind NO_SUCH_VERSION or LOG_BROKEN
   */
  void requireReadable(long version) {
    long earliest = earliest();
    if (version < earliest || version > latest()) {
      throw DeltaErrors.noSuchVersion(table, version, earliest, latest());
    }
    long next = start(version).orElse(0L);
    for (long commit : commits.subSet(next, true, version, true)) {
      if (commit != next) {
        break;
      }
      next++;
    }
    if (next <= version) {
      throw DeltaErrors.missingCommit(table, version, FOLDER + commitName(next));
    }
  }

  /** The last complete checkpoint at or before the version. */
  Optional<Long> start(long version) {
    return Optional.ofNullable(checkpoints.floor(version));
  }

  /** The files whose name is the given one or follows it, by name. */
  Stream<LogFile> from(String name) {
    return byName.tailMap(name, true).values().stream();
  }

  /** The log file of this name. */
  Optional<LogFile> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** The commits before the named one, newest first, down to the one after a version. */
  List<LogFile> commitsBefore(String name, long after, int limit) {
    List<LogFile> found = new ArrayList<>();
    for (LogFile file : byName.headMap(name, false).descendingMap().values()) {
      if (found.size() == limit) {
        break;
      }
      Matcher commit = COMMIT.matcher(file.name());
      if (commit.matches()) {
        if (Long.parseLong(commit.group(1), 10) <= after) {
          break;
        }
        found.add(file);
      }
    }
    return found;
  }

  /** Whether it is the file of one commit. */
  static boolean isCommit(String name) {
    return COMMIT.matcher(name).matches();
  }

  private static String commitName(long version) {
    String digits = Long.toString(version);
    return "0".repeat(20 - digits.length()) + digits + ".json";
  }
}
