package dev.sluice.activities.verify;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is checked of one table's generations.
 *
 * @param depth how much is compared
 * @param keyColumns columns whose distinct values are counted; null for the partition columns and
 *     those that are called like keys
 * @param tolerances greatest difference that passes, by a check's name or by what stands before its
 *     first dot
 * @param queries further checks
 */
public record CheckPlan(
    Depth depth,
    @Nullable List<String> keyColumns,
    Map<String, Double> tolerances,
    List<SqlCheck> queries) {

  /** Counts only, exactly. */
  public static final CheckPlan DEFAULT = new CheckPlan(Depth.COUNTS, null, Map.of(), List.of());

  /** Copies the collections. */
  public CheckPlan {
    Objects.requireNonNull(depth, "depth");
    keyColumns = keyColumns == null ? null : List.copyOf(keyColumns);
    tolerances = Map.copyOf(tolerances);
    queries = List.copyOf(queries);
  }

  /** Whether more than counting is to be done. */
  public boolean looksInside() {
    return depth != Depth.COUNTS || !queries.isEmpty();
  }

  /** The greatest difference that passes: that of the check itself, else of its kind, else 0. */
  double tolerance(String check) {
    int dot = check.indexOf('.');
    double ofKind = dot < 0 ? 0 : tolerances.getOrDefault(check.substring(0, dot), 0.0);
    return tolerances.getOrDefault(check, ofKind);
  }
}
