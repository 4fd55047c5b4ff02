package dev.sluice.activities.parquet;

import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.PartitionTransform.Bucket;
import dev.sluice.catalog.PartitionTransform.Simple;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Names of folders that speak of a transformed partition key, such as {@code year=2026} or {@code
 * year_ts=2026} of {@code year(ts)}. Such a folder is no column: what it says follows from one.
 */
public final class PartitionFolders {

  private PartitionFolders() {}

  /** The names, in lower case, for all transformed keys of a table. */
  public static Set<String> of(List<PartitionKey> keys) {
    Set<String> names = new HashSet<>();
    keys.forEach(key -> names.addAll(of(key, keys)));
    return names;
  }

  /** The names for one of a table's keys; none for a key that is a column itself. */
  static Set<String> of(PartitionKey key, List<PartitionKey> keys) {
    if (key.transform().equals(Simple.IDENTITY)) {
      return Set.of();
    }
    String transform = key.transform() instanceof Bucket ? "bucket" : key.transform().text();
    String column = key.column().toLowerCase(Locale.ROOT);
    Set<String> names = new HashSet<>();
    names.add(transform + "_" + column);
    names.add(column + "_" + transform);
    boolean onlyOne =
        keys.stream().filter(other -> sameKind(other.transform(), key.transform())).count() == 1;
    if (onlyOne) {
      names.add(transform);
    }
    return names;
  }

  private static boolean sameKind(PartitionTransform one, PartitionTransform other) {
    return one instanceof Bucket ? other instanceof Bucket : one.equals(other);
  }
}
