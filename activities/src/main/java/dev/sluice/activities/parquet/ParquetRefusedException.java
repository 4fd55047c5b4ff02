package dev.sluice.activities.parquet;

/**
 * A file that cannot be registered. Not retryable (the same bytes give the same answer), not a
 * conflict, outcome known: nothing was written. The message begins with the file, names problem,
 * reason and remedy, and is made in {@link ParquetErrors} only.
 */
public final class ParquetRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Why a file was refused. */
  public enum Kind {
    /** No bytes at all. */
    EMPTY_OBJECT,
    /** It does not end as a Parquet file does: something else, or cut off. */
    NOT_PARQUET,
    /** The footer or columns are encrypted. */
    ENCRYPTED,
    /** The footer does not parse or contradicts itself or the object's size. */
    CORRUPT_FOOTER,
    /** A column that DuckDB cannot read, or would read as something else. */
    UNSUPPORTED_COLUMN,
    /** Two files, or file and table, disagree on a column's type. */
    TYPE_MISMATCH,
    /** The file lacks a column of the table. */
    MISSING_COLUMN,
    /** The file has a column that the table lacks. */
    EXTRA_COLUMN,
    /** Two columns of a file differ only in case. */
    AMBIGUOUS_COLUMN,
    /** A field id that belonged to a column which no longer exists. */
    STALE_FIELD_ID,
    /** NULL, or possibly NULL, where the column forbids it. */
    NULL_VALUE,
    /** A partition value in the path contradicts the data, the type or the other files. */
    PARTITION_VALUE
  }

  private final String file;
  private final Kind kind;

  ParquetRefusedException(String file, Kind kind, String message) {
    super(message);
    this.file = file;
    this.kind = kind;
  }

  /** The file as the caller named it. */
  public String file() {
    return file;
  }

  /** Why it was refused. */
  public Kind kind() {
    return kind;
  }
}
