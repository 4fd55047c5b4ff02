package dev.sluice.activities.delta;

import dev.sluice.activities.delta.DeltaException.Kind;
import dev.sluice.activities.storage.StorageLocation;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes every error of this package. Form: location: problem; reason; remedy. The texts are what an
 * operator reads in a job's history.
 */
final class DeltaErrors {

  private static final String REPAIR_LOG =
      "restore the file from a copy, or copy another version of the table";

  /** From this version on a table names the features that it needs. */
  private static final int READER_VERSION = 3;

  private DeltaErrors() {}

  static DeltaException noSuchLocation(StorageLocation table) {
    return error(
        Kind.NOT_A_DELTA_TABLE,
        table,
        "not a Delta table",
        "nothing is stored at this location, so it has no _delta_log",
        "check the location that the producer reported");
  }

  static DeltaException noLog(StorageLocation table) {
    return error(
        Kind.NOT_A_DELTA_TABLE,
        table,
        "not a Delta table",
        "there are objects at this location, but it has no _delta_log",
        "check the location, or register its files as prepared Parquet");
  }

  static DeltaException noCommitYet(StorageLocation table) {
    return error(
        Kind.LOG_NOT_READY,
        table,
        "the Delta log cannot be read yet",
        "_delta_log is there but holds no commit",
        "wait until the producer has written the table");
  }

  static DeltaException noStart(StorageLocation table, long firstCommit) {
    return error(
        Kind.LOG_NOT_READY,
        table,
        "the Delta log cannot be read yet",
        "its first commit is version %d and there is no complete checkpoint to begin from"
            .formatted(firstCommit),
        "wait until the producer has rebuilt the log, or restore the missing commits");
  }

  static DeltaException noSuchVersion(
      StorageLocation table, long version, long earliest, long latest) {
    return error(
        Kind.NO_SUCH_VERSION,
        table,
        "version %d cannot be read".formatted(version),
        "the log has what is needed for versions %d to %d".formatted(earliest, latest),
        "ask for one of those");
  }

  static DeltaException unsupportedFeatures(
      StorageLocation table, long version, Collection<String> features) {
    return error(
        Kind.UNSUPPORTED_FEATURE,
        table,
        "version %d needs a reader with %s".formatted(version, quoted(features)),
        "this one does not know that, and reading without it could give wrong rows",
        "drop the feature at the producer (ALTER TABLE … DROP FEATURE), or upgrade Sluice");
  }

  static DeltaException unsupportedReaderVersion(
      StorageLocation table, long version, int readerVersion, Throwable cause) {
    return error(
        Kind.UNSUPPORTED_FEATURE,
        table,
        "version %d cannot be read".formatted(version),
        "it needs version %d of the reader protocol, and up to %d is known"
            .formatted(readerVersion, READER_VERSION),
        "upgrade Sluice",
        cause);
  }

  static DeltaException missingCommit(StorageLocation table, long version, String key) {
    return error(
        Kind.LOG_BROKEN,
        table,
        "version %d cannot be read".formatted(version),
        "the log lacks %s".formatted(key),
        REPAIR_LOG);
  }

  static DeltaException missingLogFile(
      StorageLocation table, long version, String key, @Nullable Throwable cause) {
    return error(
        Kind.LOG_BROKEN,
        table,
        "version %d cannot be read".formatted(version),
        "the log refers to %s, which is not there".formatted(key),
        REPAIR_LOG,
        cause);
  }

  static DeltaException unreadableLogFile(
      StorageLocation table, long version, String key, String reason, @Nullable Throwable cause) {
    return error(
        Kind.LOG_BROKEN,
        table,
        "version %d cannot be read".formatted(version),
        "%s cannot be read: %s".formatted(key, reason),
        REPAIR_LOG,
        cause);
  }

  static DeltaException brokenLog(
      StorageLocation table, long version, String reason, @Nullable Throwable cause) {
    return error(
        Kind.LOG_BROKEN,
        table,
        "version %d cannot be read".formatted(version),
        reason,
        REPAIR_LOG,
        cause);
  }

  static DeltaException unsupportedColumn(
      StorageLocation table, List<String> column, String type, String reason) {
    return error(
        Kind.UNSUPPORTED_COLUMN,
        table,
        "column '%s' of type %s cannot be copied".formatted(String.join(".", column), type),
        reason,
        "drop the column at the producer, or store it as another type");
  }

  static DeltaException badSchema(StorageLocation table, String reason) {
    return error(
        Kind.UNSUPPORTED_COLUMN,
        table,
        "its schema cannot be read",
        reason,
        "have the producer write the table's metadata anew");
  }

  static DeltaException outsideTable(StorageLocation table, String path, String what) {
    return error(
        Kind.BAD_FILE_ENTRY,
        table,
        "%s %s lies outside the table's folder".formatted(what, path),
        "only files below the folder are copied, as the shallow clone of another table has them"
            + " elsewhere",
        "copy the table that the file belongs to, or have the producer make a deep clone");
  }

  static DeltaException badPath(StorageLocation table, String path, String reason) {
    return error(
        Kind.BAD_FILE_ENTRY,
        table,
        "the log's path '%s' cannot be used".formatted(path),
        reason,
        "have the producer write the file's entry anew");
  }

  static DeltaException partitionValueMissing(StorageLocation table, String file, String column) {
    return error(
        Kind.BAD_FILE_ENTRY,
        table,
        "the log gives file %s no value of partition column '%s'".formatted(file, column),
        "the value is nowhere else",
        "have the producer write the file's entry anew");
  }

  static DeltaException badPartitionValue(
      StorageLocation table, String file, String column, String value, String type) {
    return error(
        Kind.BAD_FILE_ENTRY,
        table,
        "the value '%s' of partition column '%s' of file %s is no %s"
            .formatted(value, column, file, type),
        "the log holds partition values as text in the column's type",
        "have the producer write the file's entry anew");
  }

  static DeltaException badEntry(
      StorageLocation table, String file, String reason, @Nullable Throwable cause) {
    return error(
        Kind.BAD_FILE_ENTRY,
        table,
        "the log's entry of file %s cannot be used".formatted(file),
        reason,
        "have the producer write the file's entry anew",
        cause);
  }

  static DeltaException brokenDeletes(
      StorageLocation table, String vector, String reason, @Nullable Throwable cause) {
    return error(
        Kind.BROKEN_DELETES,
        table,
        "the deletion vector %s cannot be read".formatted(vector),
        reason,
        "restore its file from a copy, or copy another version of the table",
        cause);
  }

  static DeltaException interrupted(StorageLocation table, @Nullable Throwable cause) {
    return error(
        Kind.INTERRUPTED,
        table,
        "reading the Delta log was given up",
        "the thread was interrupted",
        "repeat if the work is still wanted",
        cause);
  }

  private static String quoted(Collection<String> features) {
    return String.join(
        ", ", new TreeSet<>(features).stream().map(each -> "'" + each + "'").toList());
  }

  private static DeltaException error(
      Kind kind, StorageLocation table, String problem, String reason, String remedy) {
    return error(kind, table, problem, reason, remedy, null);
  }

  private static DeltaException error(
      Kind kind,
      StorageLocation table,
      String problem,
      String reason,
      String remedy,
      @Nullable Throwable cause) {
    return new DeltaException(
        kind, "%s: %s; %s; %s".formatted(table.uri(), problem, reason, remedy), cause);
  }
}
