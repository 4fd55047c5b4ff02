package dev.sluice.catalog;

import java.util.List;

/** How a reader finds the table's columns in a data file (ducklake-format 7). */
public sealed interface FileMapping {

  /** The file's Parquet field ids are the table's column ids. */
  record ByFieldId() implements FileMapping {}

  /** The file's columns are found by name; field ids in the file are ignored. */
  record ByName(List<MappedField> fields) implements FileMapping {

    /** Copies the fields. */
    public ByName {
      fields = List.copyOf(fields);
    }
  }

  /**
   * One file column and the table column it feeds.
   *
   * @param sourceName name in the file, or the key in the path
   * @param targetName name of the table's column at the same nesting level
   * @param origin where the value comes from
   * @param children nested fields
   */
  record MappedField(
      String sourceName, String targetName, Origin origin, List<MappedField> children) {

    private static final String LIST_ELEMENT = "list";

    /** Copies the children. */
    public MappedField {
      children = List.copyOf(children);
    }

    /** The same as the element of a list, which DuckDB calls by one name in every mapping. */
    public MappedField asListElement() {
      return new MappedField(LIST_ELEMENT, targetName, origin, children);
    }
  }

  /** Where a mapped value comes from. */
  enum Origin {
    FILE_COLUMN,
    /** The {@code key=value} segment of the file's path. */
    PATH
  }
}
