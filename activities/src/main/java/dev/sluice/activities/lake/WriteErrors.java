package dev.sluice.activities.lake;

import dev.sluice.activities.lake.WriteException.Kind;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.TableName;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Every user-visible error of this package: context, problem, reason, remedy. */
final class WriteErrors {

  private static final String STREAMED = "\nError: ";
  private static final String CHECKED = "Invalid Input Error: ";
  private static final String CSV_LINE = "CSV Error on Line";
  private static final List<String> CSV_ADVICE = List.of("Possible fixes:", "Possible Solution:");

  /** What relations call a source's column, which nobody else knows. */
  private static final Pattern OUR_NAME =
      Pattern.compile(" when casting from source column s[0-9]+$");

  private static final List<String> ENGINES_OWN =
      List.of("Out of Memory Error", "INTERNAL Error", "FATAL Error", "INTERRUPT Error");

  private static final List<String> NO_VALUE = List.of("Conversion Error", "Out of Range Error");

  private WriteErrors() {}

  static WriteException unknownColumn(String doing, String name, List<Column> columns) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        "%s: there is no column %s; the columns of the table are %s; nothing was written"
            .formatted(doing, name, names(columns)),
        null);
  }

  static WriteException duplicateColumn(String doing, String name) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        ("%s: column %s is given twice; names are compared without regard to case, and one value"
                + " would be lost; give each column once; nothing was written")
            .formatted(doing, name),
        null);
  }

  static WriteException columnCount(String doing, int wanted, int found) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        ("%s: %d columns are named and the source has %d; they are matched by place; name as many"
                + " columns as the source has; nothing was written")
            .formatted(doing, wanted, found),
        null);
  }

  static WriteException missingNotNull(String doing, Column column) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        ("%s: column %s gets no value; it is NOT NULL and has no default; give it a value; nothing"
                + " was written")
            .formatted(doing, column.name()),
        null);
  }

  static WriteException wrongType(String doing, Column column, String sourceType, String remedy) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        "%s: column %s is %s and cannot take %s; the value would become another one; %s; nothing was written"
            .formatted(doing, column.name(), column.type().text(), sourceType, remedy),
        null);
  }

  static WriteException badValue(
      String doing, Column column, String sqlType, String value, SQLException cause) {
    return new WriteException(
        Kind.INVALID_DATA,
        "%s: column %s is %s and cannot hold %s; correct the value; nothing was written"
            .formatted(doing, column.name(), sqlType, value),
        cause);
  }

  static WriteException badData(String doing, SQLException cause) {
    return new WriteException(
        Kind.INVALID_DATA,
        "%s: a value cannot be taken; %s; correct it; nothing was written"
            .formatted(doing, reason(cause)),
        cause);
  }

  static WriteException badData(String doing, Column column, SQLException cause) {
    return new WriteException(
        Kind.INVALID_DATA,
        "%s: column %s cannot take a value; %s; correct it; nothing was written"
            .formatted(doing, column.name(), reason(cause)),
        cause);
  }

  /** Whether a check of ours failed, whose words name the column. */
  static boolean namesColumn(SQLException failure) {
    return reason(failure).startsWith("column ");
  }

  static WriteException badSource(String doing, SQLException cause) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        "%s: the rows to write cannot be had; %s; correct the source; nothing was written"
            .formatted(doing, reason(cause)),
        cause);
  }

  static WriteException badExpression(String doing, String what, String text, SQLException cause) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        "%s: the %s %s is not understood; %s; correct it; nothing was written"
            .formatted(doing, what, text, reason(cause)),
        cause);
  }

  static WriteException badText(String doing, String column) {
    return new WriteException(
        Kind.INVALID_DATA,
        ("%s: a value of column %s is no valid text; half of a surrogate pair has no UTF-8; correct"
                + " the value; nothing was written")
            .formatted(doing, column),
        null);
  }

  static WriteException rowWidth(String doing, int row, int wanted, int found) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        "%s: row %d has %d values and %d columns are named; give one value per column; nothing was written"
            .formatted(doing, row, found, wanted),
        null);
  }

  static WriteException noColumns(String doing) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        "%s: the source has no columns; there is nothing to write; name at least one; nothing was written"
            .formatted(doing),
        null);
  }

  static WriteException nulls(String doing, Column column, long nulls) {
    return new WriteException(
        Kind.INVALID_DATA,
        "%s: column %s is NOT NULL and %d rows have no value there; give them one; nothing was written"
            .formatted(doing, column.name(), nulls),
        null);
  }

  static WriteException unreadableFile(String doing, Path file, Throwable cause) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        "%s: file %s cannot be read; %s; give a readable file; nothing was written"
            .formatted(doing, file.getFileName(), cause.getMessage()),
        cause);
  }

  static WriteException noFile(String doing, Path file) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        "%s: file %s cannot be read; there is no such file; give the path of one; nothing was written"
            .formatted(doing, file),
        null);
  }

  static WriteException noObject(String doing, Path file, String value) {
    return new WriteException(
        Kind.INVALID_DATA,
        ("%s: file %s holds %s; that is no JSON object, and has no names to find columns by; give"
                + " objects, one after the other or in one array; nothing was written")
            .formatted(doing, file, value),
        null);
  }

  static WriteException badHeader(String doing, Path file, String reason) {
    return new WriteException(
        Kind.INVALID_DATA,
        "%s: the header of file %s cannot be used; %s; correct the first line; nothing was written"
            .formatted(doing, file, reason),
        null);
  }

  static WriteException notOne(String doing, String what, String text, String reason) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        "%s: %s cannot be used; %s; give one %s; nothing was written"
            .formatted(doing, text, reason, what),
        null);
  }

  static WriteException unwritable(String doing, Column column, String reason) {
    return new WriteException(
        Kind.UNSUPPORTED,
        "%s: column %s of type %s cannot be written; %s; write this table with DuckDB; nothing was written"
            .formatted(doing, column.name(), column.type().text(), reason),
        null);
  }

  static WriteException noMessage(String doing) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        ("%s: a commit message is missing; the lake's option require_commit_message asks for one;"
                + " give a message; nothing was written")
            .formatted(doing),
        null);
  }

  static WriteException outsideStore(String doing, String path, String root) {
    return new WriteException(
        Kind.UNSUPPORTED,
        ("%s: the table lies at %s, outside %s, which is all that this process may write; configure"
                + " the store that holds it; nothing was written")
            .formatted(doing, path, root),
        null);
  }

  static WriteException wrongOption(String doing, String key, String value) {
    return new WriteException(
        Kind.UNSUPPORTED,
        "%s: the lake's option %s is '%s', which is not understood; set it anew with DuckDB's set_option; nothing was written"
            .formatted(doing, key, value),
        null);
  }

  static WriteException folderUnusable(Path folder, Throwable cause) {
    return new WriteException(
        Kind.ENGINE_FAILED,
        "folder %s: files cannot be prepared there; %s; check its permissions and free space"
            .formatted(folder, cause.getMessage()),
        cause);
  }

  /** Whether DuckDB itself came to its limits; it tells by words only. */
  static boolean isNoFaultOfTheData(SQLException failure) {
    String reason = reason(failure);
    return ENGINES_OWN.stream().anyMatch(reason::startsWith);
  }

  /**
   * What DuckDB could not do with rows that are there: its own fault, or that of an expression
   * which has no value for some of them.
   */
  static WriteException notComputed(String doing, SQLException cause) {
    String reason = reason(cause);
    return NO_VALUE.stream().anyMatch(reason::startsWith)
        ? new WriteException(
            Kind.INVALID_DATA,
            "%s: the condition or a value cannot be computed for the rows that are there; %s; correct it; nothing was written"
                .formatted(doing, reason),
            cause)
        : engineFailed(doing, cause);
  }

  static WriteException engineFailed(String doing, SQLException cause) {
    return new WriteException(
        Kind.ENGINE_FAILED,
        "%s: DuckDB failed; %s; try again, with more memory or room for temporary files where it was short of it; nothing was written"
            .formatted(doing, reason(cause)),
        cause);
  }

  static WriteException noKeys(String doing) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        "%s: no key is named; rows could not be told apart; name the key's columns; nothing was written"
            .formatted(doing),
        null);
  }

  static WriteException keyNotGiven(String doing, Column key) {
    return new WriteException(
        Kind.INVALID_REQUEST,
        "%s: the source has no column %s; it belongs to the key; give it; nothing was written"
            .formatted(doing, key.name()),
        null);
  }

  static WriteException nullKey(String doing, Column key) {
    return new WriteException(
        Kind.INVALID_DATA,
        ("%s: column %s of the key is NULL in the source; NULL equals nothing, so the row would be"
                + " added again each time; give it a value; nothing was written")
            .formatted(doing, key.name()),
        null);
  }

  static WriteException keyTwice(String doing, String key) {
    return new WriteException(
        Kind.INVALID_DATA,
        "%s: the key %s is in the source twice; it is not told which row counts; give each key once; nothing was written"
            .formatted(doing, key),
        null);
  }

  static WriteException interrupted(String doing, InterruptedException cause) {
    return new WriteException(
        Kind.INTERRUPTED,
        "%s: it was interrupted; nothing was written; do it again".formatted(doing),
        cause);
  }

  static String doing(String what, TableName table) {
    return what + " " + table;
  }

  /** Names the file that rows come from. */
  static String doing(String what, TableName table, RowSource source) {
    String doing = doing(what, table);
    return switch (source) {
      case RowSource.Csv csv -> doing + " from " + csv.file();
      case RowSource.Json json -> doing + " from " + json.file();
      case RowSource.Parquet parquet -> doing + " from " + parquet.file();
      case RowSource.Values values -> doing;
      case RowSource.Select select -> doing;
    };
  }

  /**
   * DuckDB repeats the statement below the reason, and says above it that it was streaming. Of a
   * line of CSV it says first which, then what is wrong, then what its options would do about it.
   */
  private static String reason(SQLException cause) {
    String message = String.valueOf(cause.getMessage());
    int at = message.indexOf(STREAMED);
    String plain = at < 0 ? message : message.substring(at + STREAMED.length());
    String first = plain.lines().findFirst().orElse("").strip();
    return withoutKind(first.contains(CSV_LINE) ? first + csvReason(plain) : first);
  }

  /** The line above the advice; between the first one and that the bad line itself is repeated. */
  private static String csvReason(String message) {
    return message
        .lines()
        .takeWhile(line -> CSV_ADVICE.stream().noneMatch(line::startsWith))
        .skip(2)
        .filter(line -> !line.isBlank())
        .reduce((any, last) -> last)
        .map(last -> ": " + last)
        .orElse("");
  }

  /** A check of ours fails by {@code error()}, which has DuckDB say that the input is invalid. */
  private static String withoutKind(String reason) {
    String plain = OUR_NAME.matcher(reason).replaceFirst("");
    return plain.startsWith(CHECKED) ? plain.substring(CHECKED.length()) : plain;
  }

  private static String names(List<Column> columns) {
    return columns.stream().map(Column::name).collect(Collectors.joining(", "));
  }
}
