package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.read.ScanFile;
import java.util.Optional;

/** Tells the values that files do not hold themselves. */
@FunctionalInterface
interface PathTexts {

  /** What DuckDB reads from the file's path. */
  PathTexts OF_THE_PATH =
      (file, column, key) -> {
        boolean isVarchar = SqlType.of(column).equals("VARCHAR");
        return PathValue.find(file.path(), key).flatMap(raw -> PathValue.text(raw, isVarchar));
      };

  /**
   * The text of a column in all rows of a file; empty for NULL.
   *
   * @param key what the file's mapping calls it
   */
  Optional<String> text(ScanFile file, Column column, String key);
}
