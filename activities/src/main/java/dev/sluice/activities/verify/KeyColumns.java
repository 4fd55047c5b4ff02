package dev.sluice.activities.verify;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.PartitionKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The columns whose distinct values are counted: those that are configured, else the partition
 * columns, {@code id}, {@code _id}, {@code distinct_id}, {@code person_id} and whatever ends with
 * {@code _id}.
 */
final class KeyColumns {

  private static final String ID = "id";
  private static final String ID_SUFFIX = "_id";

  private KeyColumns() {}

  static List<Column> of(CheckPlan plan, List<Column> columns, List<PartitionKey> partitioning) {
    Set<Column> keys = new LinkedHashSet<>();
    if (plan.keyColumns() != null) {
      plan.keyColumns().forEach(name -> find(columns, name).ifPresent(keys::add));
    } else {
      partitioning.forEach(key -> find(columns, key.column()).ifPresent(keys::add));
      columns.stream().filter(column -> isCalledLikeAKey(column.name())).forEach(keys::add);
    }
    return keys.stream().filter(column -> !(column.type() instanceof Nested)).toList();
  }

  /** Configured names that are no columns with values of their own. */
  static List<String> unusable(CheckPlan plan, List<Column> columns) {
    Set<String> unusable = new LinkedHashSet<>();
    for (String name : plan.keyColumns() == null ? List.<String>of() : plan.keyColumns()) {
      if (find(columns, name).filter(column -> !(column.type() instanceof Nested)).isEmpty()) {
        unusable.add(name);
      }
    }
    return List.copyOf(unusable);
  }

  static Optional<Column> find(List<Column> columns, String name) {
    return columns.stream()
        .filter(
            column -> column.name().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  private static boolean isCalledLikeAKey(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.equals(ID) || lower.endsWith(ID_SUFFIX);
  }
}
