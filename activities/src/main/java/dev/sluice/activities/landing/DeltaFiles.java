package dev.sluice.activities.landing;

import dev.sluice.activities.delta.DeltaFile;
import dev.sluice.activities.delta.DeltaSnapshot;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectKeys;
import dev.sluice.activities.storage.ObjectStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files of a pinned version of a Delta table, with the objects that they are.
 *
 * @param files in the order of their keys; files all of whose rows are deleted are left out
 */
public record DeltaFiles(List<Found> files) {

  private static final String DELETES_FOLDER = "_deletes";
  private static final String PARQUET = ".parquet";

  /** Hex digits that tell apart two source keys that would land at one path. */
  private static final int TELL_APART_DIGITS = 8;

  /** Enough for the names of delete files, which nobody reads. */
  private static final int NAME_DIGITS = 24;

  /** Copies the list. */
  public DeltaFiles {
    files = List.copyOf(files);
  }

  /**
   * A file with its object.
   *
   * @param file as the log has it
   * @param object as the store has it
   */
  public record Found(DeltaFile file, ObjectInfo object) {}

  /**
   * Finds the objects of a version's files.
   *
   * @param table the table's folder
   * @throws LandingException when one is not there, or has another size than the log says; names
   *     version and file
   */
  public static DeltaFiles find(ObjectStore table, DeltaSnapshot snapshot) {
    List<DeltaFile> live = new ArrayList<>();
    try (Stream<DeltaFile> files = snapshot.files()) {
      files.filter(DeltaFiles::hasRows).forEach(live::add);
    }
    live.sort(Comparator.comparing(DeltaFile::key));
    Set<String> wanted = new HashSet<>();
    for (DeltaFile file : live) {
      if (!wanted.add(file.key())) {
        throw LandingErrors.fileTwice(table.uri(file.key()), snapshot.version());
      }
    }
    Map<String, ObjectInfo> objects = new HashMap<>();
    try (Stream<ObjectInfo> listed = table.list("")) {
      listed
          .filter(object -> wanted.contains(object.key()))
          .forEach(object -> objects.put(object.key(), object));
    }
    List<Found> found = new ArrayList<>();
    for (DeltaFile file : live) {
      ObjectInfo object = objects.get(file.key());
      if (object == null) {
        throw LandingErrors.fileMissing(table.uri(file.key()), snapshot.version());
      }
      if (object.sizeBytes() != file.sizeBytes()) {
        throw LandingErrors.fileSizeOfLog(
            table.uri(file.key()), snapshot.version(), file.sizeBytes(), object.sizeBytes());
      }
      found.add(new Found(file, object));
    }
    return new DeltaFiles(found);
  }

  private static boolean hasRows(DeltaFile file) {
    Long rows = file.liveRecords();
    return rows == null || rows > 0;
  }

  /** Size of all files in bytes. */
  public long bytes() {
    return files.stream().mapToLong(found -> found.object().sizeBytes()).sum();
  }

  /** Where the files land below a prefix, in their order: partition values, then the file. */
  private List<String> landedKeys(String landingPrefix) {
    Map<String, Integer> taken = new HashMap<>();
    List<String> keys = new ArrayList<>();
    for (Found found : files) {
      StringBuilder path = new StringBuilder();
      found
          .file()
          .partitionValues()
          .forEach((column, value) -> path.append(LandedPath.folder(column, value)).append('/'));
      String key = found.file().key();
      path.append(fileName(key));
      if (taken.merge(path.toString(), 1, Integer::sum) > 1) {
        path.setLength(path.length() - PARQUET.length());
        path.append('-').append(hash(key, TELL_APART_DIGITS)).append(PARQUET);
      }
      keys.add(ObjectKeys.join(landingPrefix, path.toString()));
    }
    return keys;
  }

  /**
   * The files as the ledger lists them.
   *
   * @param landingPrefix where they land
   * @param deletedRows what becomes of rows that are deleted
   */
  public List<LedgerFile> listed(String landingPrefix, DeletedRows deletedRows) {
    List<String> keys = landedKeys(landingPrefix);
    List<LedgerFile> listed = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Found found = files.get(i);
      listed.add(
          LedgerFile.listed(
                  found.object().key(),
                  found.object().sizeBytes(),
                  LedgerObjects.checksum(found.object().etag()),
                  found.object().lastModified(),
                  keys.get(i))
              .planned(DeltaFilePlan.of(found.file(), deletedRows).text()));
    }
    return listed;
  }

  private static String fileName(String key) {
    String name = LandedPath.name(key.substring(key.lastIndexOf('/') + 1));
    return name.endsWith(PARQUET) ? name : name + PARQUET;
  }

  /** Where the delete file of a source file lands below a prefix. */
  public static String deletesKey(String landingPrefix, String sourceKey) {
    return ObjectKeys.join(
        landingPrefix, DELETES_FOLDER + "/" + hash(sourceKey, NAME_DIGITS) + "-delete" + PARQUET);
  }

  /**
   * Where a source file waits while it is written anew below a prefix.
   *
   * @param writing tells this writing from every other
   */
  static String originalKey(String landingPrefix, String sourceKey, String writing) {
    return ObjectKeys.join(
        landingPrefix, "_originals/" + hash(sourceKey, NAME_DIGITS) + "-" + writing + PARQUET);
  }

  /**
   * Where a file that is written anew lands: beside the place that it was listed with, since the
   * folders of that are its partition values. Two writings of one file need not be the same bytes,
   * so that one that comes late must not lie in the place of one that was published.
   *
   * @param landedPath the place that the file was listed with, or an earlier writing's
   * @param writing tells this writing from every other
   */
  static String rewrittenKey(String landedPath, String writing) {
    String folder = landedPath.substring(0, landedPath.lastIndexOf('/') + 1);
    return folder + "rewritten-" + writing + PARQUET;
  }

  private static String hash(String text, int digits) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, digits);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
