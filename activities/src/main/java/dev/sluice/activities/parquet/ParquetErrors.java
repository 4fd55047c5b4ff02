package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.ParquetRefusedException.Kind;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;

/** Every refusal of this package: file: problem; reason; remedy. */
final class ParquetErrors {

  private ParquetErrors() {}

  static ParquetRefusedException emptyObject(String file) {
    return refused(
        file,
        Kind.EMPTY_OBJECT,
        "the object has 0 bytes",
        "a Parquet file without rows still has a footer, so this one was never written",
        "write the file again or take it out of the folder");
  }

  static ParquetRefusedException notParquet(String file, long sizeBytes) {
    return refused(
        file,
        Kind.NOT_PARQUET,
        "not a whole Parquet file",
        "its %d bytes do not begin and end with PAR1, so it was cut off or is something else"
            .formatted(sizeBytes),
        "write the file again or take it out of the folder");
  }

  static ParquetRefusedException encrypted(String file) {
    return refused(
        file,
        Kind.ENCRYPTED,
        "the file is encrypted",
        "lakes with encrypted files are not supported",
        "write the file without Parquet encryption");
  }

  static ParquetRefusedException corruptFooter(String file, String contradiction) {
    return refused(
        file,
        Kind.CORRUPT_FOOTER,
        "the footer cannot be right",
        contradiction,
        "the file is damaged or its writer is broken; write it again");
  }

  static ParquetRefusedException unreadableFooter(String file, Throwable cause) {
    ParquetRefusedException refusal =
        corruptFooter(file, "it does not parse (" + cause.getMessage() + ")");
    refusal.initCause(cause);
    return refusal;
  }

  static ParquetRefusedException undecodablePathValue(String path, String key, String value) {
    return refused(
        path,
        Kind.PARTITION_VALUE,
        "the value '%s' of path key '%s' cannot be decoded".formatted(value, key),
        "its percent-encoded bytes are no UTF-8",
        "rename the folder");
  }

  static ParquetRefusedException ambiguousColumn(String file, String one, String other) {
    return refused(
        file,
        Kind.AMBIGUOUS_COLUMN,
        "columns '%s' and '%s' have the same name".formatted(one, other),
        "names are matched without regard to case",
        "rename one of them in the file");
  }

  static ParquetRefusedException unsupportedColumn(
      String file, String column, String found, String reason) {
    return refused(
        file,
        Kind.UNSUPPORTED_COLUMN,
        "column '%s' is %s, which cannot be registered".formatted(column, found),
        reason,
        "write the column with another type or leave it out");
  }

  static ParquetRefusedException typeMismatch(
      String file, String column, String expected, String found) {
    return refused(
        file,
        Kind.TYPE_MISMATCH,
        "column '%s' has type %s where the table expects %s".formatted(column, found, expected),
        "reading it could lose or change values",
        "write the file with the table's type or widen the table's column");
  }

  static ParquetRefusedException conflictingTypes(
      String file, String column, String type, String otherFile, String otherType) {
    return refused(
        file,
        Kind.TYPE_MISMATCH,
        "column '%s' has type %s, but %s in %s".formatted(column, type, otherType, otherFile),
        "no type holds both without loss",
        "write both files with one type");
  }

  static ParquetRefusedException missingColumn(String file, String column) {
    return refused(
        file,
        Kind.MISSING_COLUMN,
        "column '%s' of the table is missing".formatted(column),
        "neither the file nor its path has it",
        "add the column to the file or allow missing columns");
  }

  static ParquetRefusedException missingNotNull(String file, String column) {
    return refused(
        file,
        Kind.NULL_VALUE,
        "column '%s' is missing and may not be NULL".formatted(column),
        "rows of the file would read as NULL",
        "add the column to the file or drop its NOT NULL");
  }

  static ParquetRefusedException extraColumn(String file, String column) {
    return refused(
        file,
        Kind.EXTRA_COLUMN,
        "column '%s' is not in the table".formatted(column),
        "its values would be invisible",
        "add the column to the table or allow extra columns");
  }

  static ParquetRefusedException internalColumn(String file, String column) {
    return refused(
        file,
        Kind.EXTRA_COLUMN,
        "column '%s' belongs to DuckLake itself".formatted(column),
        "the file was written by a lake's maintenance and carries row ids or snapshots of that lake",
        "select the table's own columns into a new file and register that");
  }

  static ParquetRefusedException nothingInCommon(String file) {
    return refused(
        file,
        Kind.MISSING_COLUMN,
        "it has no column of the table",
        "every row would consist of defaults",
        "check that the file belongs to this table");
  }

  static ParquetRefusedException staleFieldId(
      String file, String column, int fieldId, long columnId) {
    return refused(
        file,
        Kind.STALE_FIELD_ID,
        "column '%s' carries field id %d of a dropped column".formatted(column, fieldId),
        "the table's column of that name is another one, with id %d".formatted(columnId),
        "write the file anew from the table's present columns");
  }

  static ParquetRefusedException nullsFound(String file, String column, long nulls) {
    return refused(
        file,
        Kind.NULL_VALUE,
        "column '%s' is NULL in %d rows".formatted(column, nulls),
        "the table's column is NOT NULL",
        "remove those rows or drop the column's NOT NULL");
  }

  static ParquetRefusedException nullsUnknown(String file, String column) {
    return refused(
        file,
        Kind.NULL_VALUE,
        "column '%s' may hold NULL".formatted(column),
        "the footer does not count its NULLs and the table's column is NOT NULL",
        "write the file with statistics or drop the column's NOT NULL");
  }

  static ParquetRefusedException nullInPath(String file, String column, String text) {
    return refused(
        file,
        Kind.NULL_VALUE,
        "its path says that column '%s' is NULL ('%s')".formatted(column, text),
        "the table's column is NOT NULL",
        "move the file or drop the column's NOT NULL");
  }

  static ParquetRefusedException pathValueNotCastable(
      String file, String column, String value, String type) {
    return refused(
        file,
        Kind.PARTITION_VALUE,
        "the value '%s' of column '%s' in its path is no %s".formatted(value, column, type),
        "readers cast the text of the path to the column's type",
        "rename the folder or change the column's type");
  }

  static ParquetRefusedException pathKeyMissing(String file, String key, String otherFile) {
    return refused(
        file,
        Kind.PARTITION_VALUE,
        "its path has no folder %s=".formatted(key),
        "other files have one, e.g. %s".formatted(otherFile),
        "lay out all files of the table alike");
  }

  static ParquetRefusedException pathReadsOtherwise(
      String file, String column, HivePath.Entry entry, String path) {
    return refused(
        file,
        Kind.PARTITION_VALUE,
        "the value '%s' of column '%s' cannot be found in %s".formatted(entry.text(), column, path),
        "DuckDB takes the first folder named %s= of the whole path".formatted(entry.key()),
        "choose a path in which this folder is the only one of its key");
  }

  static ParquetRefusedException pathContradictsFile(
      String file, String column, String inPath, String inFile) {
    return refused(
        file,
        Kind.PARTITION_VALUE,
        "column '%s' is '%s' in its path and %s in the file".formatted(column, inPath, inFile),
        "readers would disagree about the rows",
        "move the file to the folder of its values or leave the column out of it");
  }

  static ParquetRefusedException partitionContradicted(
      String file, PartitionKey key, String claim, String found) {
    return refused(
        file,
        Kind.PARTITION_VALUE,
        "its path says %s, but %s is %s".formatted(claim, text(key), found),
        "queries for one partition would miss the rows of the other",
        "move the file to the folder of its values");
  }

  static ParquetRefusedException partitionUnproven(
      String file, PartitionKey key, String claim, String found) {
    return refused(
        file,
        Kind.PARTITION_VALUE,
        "its path says %s, which its columns do not show".formatted(claim),
        "column '%s' has %s, so %s is not one value for sure"
            .formatted(key.column(), found, text(key)),
        "split the file by partition, or write it with statistics");
  }

  static ParquetRefusedException partitionUnknown(String file, PartitionKey key, String found) {
    return refused(
        file,
        Kind.PARTITION_VALUE,
        "it does not belong to one partition",
        "column '%s' has %s, so %s is not one value for sure"
            .formatted(key.column(), found, text(key)),
        "split the file by partition, or write it with statistics");
  }

  private static String text(PartitionKey key) {
    return key.transform().equals(PartitionTransform.identity())
        ? key.column()
        : key.transform().text() + " of " + key.column();
  }

  private static ParquetRefusedException refused(
      String file, Kind kind, String problem, String reason, String remedy) {
    return new ParquetRefusedException(
        file, kind, file + ": " + problem + "; " + reason + "; " + remedy);
  }
}
