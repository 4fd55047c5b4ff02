package dev.sluice.catalog;

import java.util.List;
import java.util.UUID;

/**
 * A table live at one snapshot.
 *
 * @param id the table id
 * @param uuid the table's UUID
 * @param name qualified name
 * @param path fully resolved, with trailing slash
 * @param columns live top-level columns in order
 * @param partitioning the open partition spec; {@link Partitioning#none()} when unpartitioned
 */
public record Table(
    long id,
    UUID uuid,
    TableName name,
    String path,
    List<Column> columns,
    Partitioning partitioning) {

  /** Copies the columns. */
  public Table {
    columns = List.copyOf(columns);
  }
}
