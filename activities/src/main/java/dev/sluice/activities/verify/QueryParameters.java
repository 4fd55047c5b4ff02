package dev.sluice.activities.verify;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values that a check's query may bind, under the names that the old system had for them. A
 * name that means nothing where the query runs binds NULL.
 *
 * @param values by name
 */
public record QueryParameters(Map<String, @Nullable Object> values) {

  /** The team's number. */
  public static final String TEAM_ID = "team_id";

  /** The import's job. */
  public static final String JOB_ID = "job_id";

  /** What the model or source table is called upstream. */
  public static final String MODEL_LABEL = "model_label";

  /** Id of a model's saved query. */
  public static final String SAVED_QUERY_ID = "saved_query_id";

  /** Name of a model's saved query. */
  public static final String SAVED_QUERY_NAME = "saved_query_name";

  /** The same, normalized. */
  public static final String NORMALIZED_NAME = "normalized_name";

  /** Where the source's files are. */
  public static final String SOURCE_TABLE_URI = "source_table_uri";

  /** Schema of the published table. */
  public static final String SCHEMA_NAME = "schema_name";

  /** Name of the published table. */
  public static final String TABLE_NAME = "table_name";

  /** All names. */
  public static final Set<String> NAMES =
      Collections.unmodifiableSet(
          new LinkedHashSet<>(
              List.of(
                  TEAM_ID,
                  JOB_ID,
                  MODEL_LABEL,
                  SAVED_QUERY_ID,
                  SAVED_QUERY_NAME,
                  NORMALIZED_NAME,
                  SOURCE_TABLE_URI,
                  SCHEMA_NAME,
                  TABLE_NAME)));

  /** Copies the values. */
  public QueryParameters {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    for (Map.Entry<String, @Nullable Object> value : new HashMap<>(values).entrySet()) {
      if (!NAMES.contains(value.getKey())) {
        throw new IllegalArgumentException("no query can bind " + value.getKey());
      }
      copy.put(value.getKey(), value.getValue());
    }
    values = Collections.unmodifiableMap(copy);
  }
}
