package dev.sluice.catalog.read;

import dev.sluice.catalog.Schema;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.View;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Everything that snapshots of one schema version share, which is what makes it cacheable by that
 * number (ducklake-format 2.4).
 */
record CatalogContents(
    List<Schema> schemas,
    List<Table> tables,
    List<View> views,
    Map<Long, Table> byId,
    Map<TableName, Table> byName,
    Map<Long, Map<String, String>> tags,
    Map<ColumnKey, String> columnComments,
    Map<Long, List<SortKey>> sortKeys) {

  CatalogContents {
    schemas = List.copyOf(schemas);
    tables = List.copyOf(tables);
    views = List.copyOf(views);
    byId = Map.copyOf(byId);
    byName = Map.copyOf(byName);
    tags = Map.copyOf(tags);
    columnComments = Map.copyOf(columnComments);
    sortKeys = Map.copyOf(sortKeys);
  }

  static CatalogContents of(
      List<Schema> schemas,
      List<Table> tables,
      List<View> views,
      Map<Long, Map<String, String>> tags,
      Map<ColumnKey, String> columnComments,
      Map<Long, List<SortKey>> sortKeys) {
    Map<Long, Table> byId = new HashMap<>();
    Map<TableName, Table> byName = new HashMap<>();
    for (Table table : tables) {
      byId.put(table.id(), table);
      byName.put(key(table.name()), table);
    }
    return new CatalogContents(
        schemas, tables, views, byId, byName, tags, columnComments, sortKeys);
  }

  static TableName key(TableName name) {
    return new TableName(
        name.schema().toLowerCase(Locale.ROOT), name.table().toLowerCase(Locale.ROOT));
  }

  record ColumnKey(long tableId, long columnId) {}
}
