package dev.sluice.activities.lake;

import dev.sluice.activities.query.Sql;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.LeafStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file's statistics as DuckDB's COPY reports them: the same numbers, in the same spelling, that
 * its ducklake extension stores (ducklake-format 5.1 and 5.3).
 */
final class WrittenStatistics {

  private final Map<?, ?> reported;
  private final List<LeafStatistics> leaves = new ArrayList<>();

  private WrittenStatistics(Map<?, ?> reported) {
    this.reported = reported;
  }

  /**
   * The statistics of every leaf.
   *
   * @param reported by column, quoted names joined with dots
   */
  static List<LeafStatistics> of(List<Column> columns, Map<?, ?> reported) {
    WrittenStatistics statistics = new WrittenStatistics(reported);
    columns.forEach(column -> statistics.add(column, List.of(), ""));
    return statistics.leaves;
  }

  private void add(Column column, List<String> parents, String prefix) {
    List<String> path = new ArrayList<>(parents);
    path.add(column.name());
    String key = prefix + Sql.identifier(column.name());
    if (column.children().isEmpty()) {
      leaves.add(leaf(column, path, reported.get(key)));
    } else {
      column.children().forEach(child -> add(child, path, key + "."));
    }
  }

  private static LeafStatistics leaf(Column column, List<String> path, @Nullable Object reported) {
    Map<?, ?> facts = reported instanceof Map<?, ?> found ? found : Map.of();
    Long size = number(facts, "column_size_bytes");
    // of these DuckDB reports no values at all where there are some
    boolean counted = StoredValues.isCounted(column);
    Long values = counted ? number(facts, "num_values") : null;
    Long nulls = counted ? number(facts, "null_count") : null;
    String min = text(facts, "min");
    String max = text(facts, "max");
    String nan = text(facts, "has_nan");
    // DuckDB leaves a file of one value and NaN out when it looks for any other value
    boolean hidden = Boolean.parseBoolean(nan) && min != null && min.equals(max);
    boolean bounded = min != null && max != null && !hidden;
    return new LeafStatistics(
        path,
        size == null ? 0 : size,
        values == null || nulls == null ? null : Long.valueOf(values - nulls),
        nulls,
        bounded ? min : null,
        bounded ? max : null,
        nan == null ? null : Boolean.valueOf(nan),
        null);
  }

  private static @Nullable Long number(Map<?, ?> facts, String key) {
    String text = text(facts, key);
    return text == null ? null : Long.valueOf(text);
  }

  private static @Nullable String text(Map<?, ?> facts, String key) {
    Object value = facts.get(key);
    return value == null ? null : value.toString();
  }
}
