package dev.sluice.catalog.read;

import dev.sluice.catalog.FileMapping.Origin;
import java.util.List;

/**
 * A stored name map: how a reader finds the table's columns in files that were registered by name
 * (ducklake-format 7). Field ids in such files are ignored; columns without an entry read as their
 * initial default.
 *
 * @param id the mapping id
 * @param entries the top-level entries
 */
public record NameMap(long id, List<Entry> entries) {

  /** Copies the entries. */
  public NameMap {
    entries = List.copyOf(entries);
  }

  /**
   * One file column and the table column it feeds.
   *
   * @param sourceName name in the file, or the key in the path
   * @param columnId the table's column
   * @param origin where the value comes from
   * @param children nested entries
   */
  public record Entry(String sourceName, long columnId, Origin origin, List<Entry> children) {
    /** Copies the children. */
    public Entry {
      children = List.copyOf(children);
    }
  }
}
