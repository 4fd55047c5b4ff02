package dev.sluice.activities.verify;

import dev.sluice.catalog.TableName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is checked of which table. Three layers lie upon each other: the defaults, what is said for
 * the source, what is said for the table; the upper one wins in everything it says.
 *
 * @param defaults for every table
 * @param bySource for tables of a source, by its source schema id
 * @param byTable for one table
 */
public record CheckRules(
    CheckLayer defaults, Map<String, CheckLayer> bySource, Map<TableName, CheckLayer> byTable)
    implements CheckPlans {

  /** Counts for every table. */
  public static final CheckRules DEFAULT = new CheckRules(CheckLayer.NOTHING, Map.of(), Map.of());

  /** Copies the maps. */
  public CheckRules {
    bySource = Map.copyOf(bySource);
    byTable = Map.copyOf(byTable);
  }

  @Override
  public CheckPlan of(TableName table, String sourceId) {
    List<CheckLayer> layers = new ArrayList<>();
    for (CheckLayer layer :
        List.of(
            defaults,
            bySource.getOrDefault(sourceId, CheckLayer.NOTHING),
            byTable.getOrDefault(table, CheckLayer.NOTHING))) {
      switch (layer.below()) {
        case INHERIT -> {}
        case FORGET -> layers.clear();
      }
      layers.add(layer);
    }
    return laid(layers);
  }

  private static CheckPlan laid(List<CheckLayer> layers) {
    Depth depth = CheckPlan.DEFAULT.depth();
    @Nullable List<String> keyColumns = null;
    Map<String, Double> tolerances = new LinkedHashMap<>();
    Map<String, SqlCheck> queries = new LinkedHashMap<>();
    for (CheckLayer layer : layers) {
      depth = layer.depth() == null ? depth : layer.depth();
      keyColumns = layer.keyColumns() == null ? keyColumns : layer.keyColumns();
      tolerances.putAll(layer.tolerances());
      layer.queries().forEach(query -> queries.put(query.name(), query));
    }
    return new CheckPlan(depth, keyColumns, tolerances, List.copyOf(queries.values()));
  }
}
