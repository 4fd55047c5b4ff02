package dev.sluice.activities.query;

import dev.sluice.activities.query.QueryException.Kind;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.TableName;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Every user-visible error of this package: context, problem, reason, remedy. */
final class QueryErrors {

  private QueryErrors() {}

  static QueryException noColumn(TableName table, String name, List<Column> columns) {
    return new QueryException(
        Kind.INVALID_REQUEST,
        "table %s: there is no column %s; the columns there are %s"
            .formatted(
                table, name, columns.stream().map(Column::name).collect(Collectors.joining(", "))),
        null);
  }

  static QueryException badType(String type, String problem) {
    return new QueryException(
        Kind.INVALID_REQUEST,
        "type %s: %s; required: a type as DuckDB names it, such as bigint, decimal(10,2), varchar[] or"
                .formatted(type, problem)
            + " struct(a int, b text)",
        null);
  }

  static QueryException unreadable(TableName table, long snapshotId, Throwable cause) {
    return new QueryException(
        Kind.UNREADABLE_DATA,
        ("table %s at snapshot %d: the data cannot be read; %s; check the file named there, or ask"
                + " for fewer columns to find the one that fails")
            .formatted(table, snapshotId, cause.getMessage()),
        cause);
  }

  static QueryException unreadableTable(String name, Throwable cause) {
    return new QueryException(
        Kind.UNREADABLE_DATA,
        "%s: DuckDB cannot read it as the table's columns; %s; look at the file or column named there"
            .formatted(name, cause.getMessage()),
        cause);
  }

  static QueryException queryFailed(String reason, @Nullable Throwable cause) {
    return new QueryException(
        Kind.UNREADABLE_DATA,
        "the query gives no number to compare; %s; correct the query"
            .formatted(reason.lines().findFirst().orElse("").strip()),
        cause);
  }

  static QueryException cancelled(String name) {
    return new QueryException(
        Kind.INTERRUPTED, "%s: reading it was interrupted; read it again".formatted(name), null);
  }

  static QueryException unreadableFile(String path, Throwable cause) {
    return new QueryException(
        Kind.UNREADABLE_DATA,
        "file %s: DuckDB cannot read it; %s; write the file again"
            .formatted(path, cause.getMessage()),
        cause);
  }

  static QueryException missing(String path) {
    return new QueryException(
        Kind.WRONG_FILE,
        "file %s: the catalog lists it, but it is not there; restore it, or read an older snapshot"
            .formatted(path),
        null);
  }

  static QueryException wrongSize(String path, long expected, long actual) {
    return new QueryException(
        Kind.WRONG_FILE,
        ("file %s: the catalog says %d bytes, the object has %d; it was overwritten or cut off;"
                + " restore it, or read an older snapshot")
            .formatted(path, expected, actual),
        null);
  }

  static QueryException cannotFetch(String path, Throwable cause) {
    return new QueryException(
        Kind.FILE_UNAVAILABLE,
        "file %s: it cannot be fetched; %s; check the store and try again"
            .formatted(path, cause.getMessage()),
        cause);
  }

  static QueryException outside(String path, String root) {
    return new QueryException(
        Kind.FILE_UNAVAILABLE,
        ("file %s: it lies outside %s, which is all that this process was given; configure the"
                + " store that holds it")
            .formatted(path, root),
        null);
  }

  static QueryException cacheUnusable(Path folder, Throwable cause) {
    return new QueryException(
        Kind.FILE_UNAVAILABLE,
        "cache folder %s: it cannot be used; %s; check its permissions and free space"
            .formatted(folder, cause.getMessage()),
        cause);
  }

  static QueryException badSql(String reason) {
    return new QueryException(
        Kind.INVALID_REQUEST,
        "the query: it cannot be parsed; %s; correct it".formatted(reason),
        null);
  }

  static QueryException notSelect(String reason) {
    return new QueryException(
        Kind.INVALID_REQUEST,
        "the query: refused; %s; give one SELECT over tables and views of the lake"
            .formatted(reason),
        null);
  }

  static QueryException sqlFailed(SQLException cause) {
    return new QueryException(
        Kind.INVALID_REQUEST,
        "the query: DuckDB refuses it; %s; correct it".formatted(cause.getMessage()),
        cause);
  }

  static QueryException exists(Path file) {
    return new QueryException(
        Kind.INVALID_REQUEST,
        "file %s: it exists and is not overwritten; remove it or name another one".formatted(file),
        null);
  }

  static QueryException notWritten(Path file, Throwable cause) {
    return new QueryException(
        Kind.FILE_UNAVAILABLE,
        "file %s: it cannot be written; %s; check the folder's permissions and free space"
            .formatted(file, cause),
        cause);
  }

  static QueryException noSnapshotColumn(TableName table, String path) {
    return new QueryException(
        Kind.UNREADABLE_DATA,
        ("table %s: file %s holds rows of several snapshots but does not say which; reading it at"
                + " an older snapshot would show newer rows; read the latest snapshot instead")
            .formatted(table, path),
        null);
  }

  static QueryException interrupted(String path) {
    return new QueryException(
        Kind.INTERRUPTED, "file %s: fetching it was interrupted".formatted(path), null);
  }
}
