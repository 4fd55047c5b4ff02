package dev.sluice.activities.parquet;

import java.util.List;

/**
 * The columns of a Parquet file. Equal schemas of many files are one object.
 *
 * @param fields top-level columns in file order
 */
public record FileSchema(List<FileField> fields) {

  /** Copies the fields. */
  public FileSchema {
    fields = List.copyOf(fields);
  }
}
