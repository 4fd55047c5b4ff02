package dev.sluice.activities.verify;

import java.util.Set;
import java.util.TreeSet;

/** The checks that are built in: what their names begin with. */
public final class CheckKinds {

  private static final Set<String> WITH_NUMBERS =
      Set.of(
          "row_count",
          "file_count",
          "byte_count",
          "null_count",
          "min",
          "max",
          "partition_counts",
          "key_cardinality");

  /** What is no matter of nearness. */
  private static final Set<String> EXACT =
      Set.of(CountChecks.DELETED_ROWS, SchemaCheck.NAME, ContentChecks.ROWS);

  private CheckKinds() {}

  /** The kinds that can tolerate a difference, sorted. */
  public static Set<String> tolerant() {
    return new TreeSet<>(WITH_NUMBERS);
  }

  /** Whether a difference of such a check can be tolerated. */
  public static boolean isTolerant(String check) {
    return WITH_NUMBERS.contains(kind(check));
  }

  /** Whether a built-in check may have this name. */
  public static boolean isBuiltIn(String check) {
    String kind = kind(check);
    return WITH_NUMBERS.contains(kind) || EXACT.contains(kind);
  }

  private static String kind(String check) {
    int dot = check.indexOf('.');
    return dot < 0 ? check : check.substring(0, dot);
  }
}
