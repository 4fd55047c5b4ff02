package dev.sluice.activities.storage;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A listing split into Parquet files and everything else. Only the name decides: a file that is
 * named {@code .parquet} and has no bytes is data (and will be found broken), never passed over.
 *
 * @param data in the order of the listing
 * @param leftOut in the order of the listing, each with the reason
 */
public record DataObjects(List<ObjectInfo> data, List<LeftOut> leftOut) {

  private static final String PARQUET_SUFFIX = ".parquet";
  private static final String FOLDER_SUFFIX = "_$folder$";
  private static final String TEMPORARY = "_temporary";
  private static final String SUCCESS = "_SUCCESS";
  private static final String CHECKSUM_SUFFIX = ".crc";

  /** Copies the lists. */
  public DataObjects {
    data = List.copyOf(data);
    leftOut = List.copyOf(leftOut);
  }

  /** An object that is not data, and why. */
  public record LeftOut(ObjectInfo object, Reason reason) {}

  /** Why an object is not data. */
  public enum Reason {
    /** A name that ends with a slash, or an empty object named like a folder. */
    DIRECTORY_MARKER,
    /** The folder marker of older Hadoop file systems. */
    FOLDER_MARKER,
    /** The marker that a job has finished. */
    SUCCESS_MARKER,
    /** Below a folder of unfinished output. */
    TEMPORARY,
    /** A checksum file of Hadoop's local file system. */
    CHECKSUM_FILE,
    /** A file or folder that begins with a dot or, without being a partition, an underscore. */
    HIDDEN,
    /** Any other name that does not end with {@code .parquet}. */
    NOT_PARQUET
  }

  /** Classifies a listing; the stream is read to its end and closed. */
  public static DataObjects classify(Stream<ObjectInfo> listing) {
    List<ObjectInfo> objects;
    try (listing) {
      objects = listing.toList();
    }
    Set<String> folders = folders(objects);
    List<ObjectInfo> data = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>();
    for (ObjectInfo object : objects) {
      if (isParquet(object.key()) && !isHidden(object.key())) {
        data.add(object);
      } else {
        leftOut.add(new LeftOut(object, reason(object, folders)));
      }
    }
    return new DataObjects(data, leftOut);
  }

  private static Set<String> folders(List<ObjectInfo> objects) {
    Set<String> folders = new HashSet<>();
    for (ObjectInfo object : objects) {
      String key = object.key();
      for (int slash = key.lastIndexOf('/'); slash > 0; slash = key.lastIndexOf('/', slash - 1)) {
        if (!folders.add(key.substring(0, slash))) {
          break;
        }
      }
    }
    return folders;
  }

  private static Reason reason(ObjectInfo object, Set<String> folders) {
    String key = object.key();
    String name = ObjectKeys.fileName(key);
    if (name.isEmpty()) {
      return Reason.DIRECTORY_MARKER;
    }
    if (name.endsWith(FOLDER_SUFFIX)) {
      return Reason.FOLDER_MARKER;
    }
    if (name.equals(SUCCESS)) {
      return Reason.SUCCESS_MARKER;
    }
    if (key.equals(TEMPORARY) || ("/" + key).contains("/" + TEMPORARY + "/")) {
      return Reason.TEMPORARY;
    }
    if (name.endsWith(CHECKSUM_SUFFIX)) {
      return Reason.CHECKSUM_FILE;
    }
    if (isHidden(key)) {
      return Reason.HIDDEN;
    }
    return object.sizeBytes() == 0 && folders.contains(key)
        ? Reason.DIRECTORY_MARKER
        : Reason.NOT_PARQUET;
  }

  private static boolean isParquet(String key) {
    return key.toLowerCase(Locale.ROOT).endsWith(PARQUET_SUFFIX);
  }

  /** {@code _year=2026} is a partition, {@code _delta_log} is not data. */
  private static boolean isHidden(String key) {
    for (String segment : key.split("/", -1)) {
      boolean underscored = segment.startsWith("_") && !segment.contains("=");
      if (segment.startsWith(".") || underscored) {
        return true;
      }
    }
    return false;
  }
}
