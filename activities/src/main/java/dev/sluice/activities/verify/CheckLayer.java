package dev.sluice.activities.verify;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one place of the configuration says about checks; what it does not say is taken from the
 * layer below.
 *
 * @param below whether there is a layer below
 * @param depth null when it does not say
 * @param keyColumns null when it does not say
 * @param tolerances by a check's name or kind; one of the same name below is replaced
 * @param queries one of the same name below is replaced as a whole, its tolerance included
 */
public record CheckLayer(
    Below below,
    @Nullable Depth depth,
    @Nullable List<String> keyColumns,
    Map<String, Double> tolerances,
    List<SqlCheck> queries) {

  /** Says nothing. */
  public static final CheckLayer NOTHING =
      new CheckLayer(Below.INHERIT, null, null, Map.of(), List.of());

  /** What becomes of the layers below. */
  public enum Below {
    INHERIT,
    /** As if they said nothing. */
    FORGET
  }

  /** Copies the collections. */
  public CheckLayer {
    Objects.requireNonNull(below, "below");
    keyColumns = keyColumns == null ? null : List.copyOf(keyColumns);
    tolerances = Map.copyOf(tolerances);
    queries = List.copyOf(queries);
  }
}
