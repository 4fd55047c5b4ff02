package dev.sluice.workflows;

import io.temporal.common.SearchAttributeKey;
import java.util.List;

/**
 * The search attributes Sluice sets. All of them must be registered in the namespace before a
 * worker starts: an unregistered one stalls workflow tasks.
 */
public final class SearchAttributes {
  /** Target of the run, {@code <schema>.<table>}; set once it is resolved. */
  public static final SearchAttributeKey<String> TABLE =
      SearchAttributeKey.forKeyword("DuckLakeTable");

  /** Lake the run publishes into; set once it is resolved. */
  public static final SearchAttributeKey<String> LAKE =
      SearchAttributeKey.forKeyword("DuckLakeLake");

  /** Source of the run, {@code <team>/<source schema id>}. */
  public static final SearchAttributeKey<String> SOURCE =
      SearchAttributeKey.forKeyword("IngestSource");

  /** Stage while the run goes on, then the outcome's word. */
  public static final SearchAttributeKey<String> PHASE =
      SearchAttributeKey.forKeyword("IngestPhase");

  /** Snapshot of the publication; set when there is one. */
  public static final SearchAttributeKey<Long> SNAPSHOT = SearchAttributeKey.forLong("SnapshotId");

  private SearchAttributes() {}

  /** Returns every attribute, for registering them or for refusing to start by name. */
  public static List<SearchAttributeKey<?>> all() {
    return List.of(TABLE, LAKE, SOURCE, PHASE, SNAPSHOT);
  }

  /** Returns the value of {@link #SOURCE} for a source. */
  public static String source(long team, String sourceSchemaId) {
    return team + "/" + sourceSchemaId;
  }
}
