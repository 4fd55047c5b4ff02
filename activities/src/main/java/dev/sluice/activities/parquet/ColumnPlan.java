package dev.sluice.activities.parquet;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.PartitionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The columns under which new content is published into a table that exists: by name, with the
 * table's spelling and type wherever the new files can be read that way, so that a generation with
 * narrower types or another spelling changes nothing. What really differs is left for the table's
 * schema policy to allow or refuse.
 */
public final class ColumnPlan {

  private ColumnPlan() {}

  /**
   * Plans the columns.
   *
   * @param live the table's columns
   * @param detected columns of the new files with detected types of path columns
   * @param asText the same with path columns as text: a path can always be read as text, so a text
   *     column stays one whatever the values of this generation look like
   */
  public static List<ColumnSpec> keeping(
      List<Column> live, SchemaInference.Inferred detected, SchemaInference.Inferred asText) {
    Set<String> pathKeys =
        detected.partitioning().stream()
            .map(PartitionKey::column)
            .map(ColumnMatcher::lower)
            .collect(Collectors.toSet());
    List<ColumnSpec> plan = new ArrayList<>();
    Map<String, Column> byName = byName(live);
    for (int i = 0; i < detected.columns().size(); i++) {
      ColumnSpec column = detected.columns().get(i);
      Column old = byName.get(ColumnMatcher.lower(column.name()));
      boolean path = pathKeys.contains(ColumnMatcher.lower(column.name()));
      if (old != null && path && old.type() == Scalar.VARCHAR) {
        plan.add(keep(old, asText.columns().get(i)));
      } else {
        plan.add(old == null ? column : keep(old, column));
      }
    }
    return List.copyOf(plan);
  }

  private static ColumnSpec keep(Column live, ColumnSpec found) {
    if (live.type() instanceof Nested && live.type().equals(found.type())) {
      return new ColumnSpec(
          live.name(), live.type(), live.nulls(), live.initialDefault(), children(live, found));
    }
    return new ColumnSpec(
        live.name(),
        type(live.type(), found.type()),
        live.nulls(),
        live.initialDefault(),
        found.children());
  }

  private static List<ColumnSpec> children(Column live, ColumnSpec found) {
    Map<String, Column> byName = byName(live.children());
    return found.children().stream()
        .map(
            child -> {
              Column old = byName.get(ColumnMatcher.lower(child.name()));
              return old == null ? child : keep(old, child);
            })
        .toList();
  }

  /** The live type where it takes both, a wider one where that takes both, else the new one. */
  private static ColumnType type(ColumnType live, ColumnType found) {
    if (live.equals(found) || live instanceof Nested || found instanceof Nested) {
      return found;
    }
    ColumnType union = TypeRules.union(live, found);
    return union == null ? found : union;
  }

  private static Map<String, Column> byName(List<Column> columns) {
    return columns.stream()
        .collect(
            Collectors.toMap(column -> ColumnMatcher.lower(column.name()), Function.identity()));
  }
}
