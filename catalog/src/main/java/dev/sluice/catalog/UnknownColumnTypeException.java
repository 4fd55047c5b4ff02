package dev.sluice.catalog;

/**
 * A catalog row names a column type that format 1.0 does not have. Not retryable, not a conflict,
 * outcome known.
 */
public final class UnknownColumnTypeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnknownColumnTypeException(String text) {
    super(
        ("column type '%s' is not a DuckLake 1.0 type; the catalog was written by a newer or broken"
                + " writer; open it with the DuckDB that wrote it and check the table's columns")
            .formatted(text));
  }
}
