package dev.sluice.catalog.read;

import dev.sluice.catalog.Schema;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.View;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Schemas, tables and columns of a lake at one snapshot. Names are found without regard to case, as
 * in DuckDB. Immutable and thread-safe.
 */
public final class CatalogView {

  private final Snapshot snapshot;
  private final CatalogContents contents;

  CatalogView(Snapshot snapshot, CatalogContents contents) {
    this.snapshot = snapshot;
    this.contents = contents;
  }

  /** The snapshot this is a view of. */
  public Snapshot snapshot() {
    return snapshot;
  }

  /** The live schemas by id. */
  public List<Schema> schemas() {
    return contents.schemas();
  }

  /** The live tables by id. */
  public List<Table> tables() {
    return contents.tables();
  }

  /** The live views by id. */
  public List<View> views() {
    return contents.views();
  }

  /** The schema of that name. */
  public Optional<Schema> findSchema(String name) {
    return contents.schemas().stream().filter(s -> s.name().equalsIgnoreCase(name)).findFirst();
  }

  /** The view of that name, without regard to case. */
  public Optional<View> findView(TableName name) {
    TableName key = CatalogContents.key(name);
    return views().stream()
        .filter(view -> CatalogContents.key(view.name()).equals(key))
        .findFirst();
  }

  /** The table of that name. */
  public Optional<Table> findTable(TableName name) {
    return Optional.ofNullable(contents.byName().get(CatalogContents.key(name)));
  }

  /** The table of that id. */
  public Optional<Table> findTable(long tableId) {
    return Optional.ofNullable(contents.byId().get(tableId));
  }

  /**
   * The table of that name.
   *
   * @throws TableNotFoundException if the snapshot has none; the message names similar tables
   */
  public Table table(TableName name) {
    return findTable(name)
        .orElseThrow(
            () ->
                findView(name).isPresent()
                    ? ReadErrors.isView(name, snapshot)
                    : ReadErrors.tableNotFound(name, snapshot, tables()));
  }

  /** Tags of a table, the comment under key {@code comment}. */
  public Map<String, String> tags(Table table) {
    return contents.tags().getOrDefault(table.id(), Map.of());
  }

  /** The table's comment. */
  public Optional<String> comment(Table table) {
    return Optional.ofNullable(tags(table).get("comment"));
  }

  /** The table's sort order; empty when it has none. */
  public List<SortKey> sortKeys(Table table) {
    return contents.sortKeys().getOrDefault(table.id(), List.of());
  }

  /** The view's comment. */
  public Optional<String> comment(View view) {
    return Optional.ofNullable(contents.tags().getOrDefault(view.id(), Map.of()).get("comment"));
  }

  /** The comment of a column, nested ones included. */
  public Optional<String> columnComment(Table table, long columnId) {
    return Optional.ofNullable(
        contents.columnComments().get(new CatalogContents.ColumnKey(table.id(), columnId)));
  }
}
