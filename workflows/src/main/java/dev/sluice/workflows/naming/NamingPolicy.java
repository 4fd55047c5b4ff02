package dev.sluice.workflows.naming;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a team's sources become table names. A team keeps its policy for as long as it has tables;
 * names are at most 63 characters under every policy. Different sources can get the same name,
 * which is why a name has one owner.
 */
public enum NamingPolicy {
  /** ASCII letters and digits joined by single underscores; cut at 63. The default of new teams. */
  COPY_V1("copy_v1") {
    @Override
    String table(String raw, List<String> parts, String defaultWord) {
      return CopyV1.identifier(raw, defaultWord);
    }
  },
  /** Snake case of an earlier loader; long names keep both ends around a short hash. */
  LEGACY_BATCH_V1("legacy_batch_v1") {
    @Override
    String table(String raw, List<String> parts, String defaultWord) {
      return LegacyBatchV1.identifier(raw);
    }

    // The loader made no models; their names were always those of copy_v1.
    @Override
    public String modelTable(String label, String queryName) {
      return COPY_V1.modelTable(label, queryName);
    }
  },
  /** As {@link #COPY_V1}, but a name that has to be cut ends in a hash of what it is made of. */
  COPY_V2("copy_v2") {
    @Override
    String table(String raw, List<String> parts, String defaultWord) {
      return CopyV2.identifier(raw, parts, defaultWord);
    }
  };

  private static final String IMPORT_WORD = "data_import";
  private static final String MODEL_WORD = "model";

  private final String id;

  NamingPolicy(String id) {
    this.id = id;
  }

  /** Returns the policy's id, as it is configured and stored. */
  public String id() {
    return id;
  }

  /**
   * Returns the policy with the given id.
   *
   * @throws InvalidNameException when there is none
   */
  public static NamingPolicy ofId(String id) {
    for (NamingPolicy policy : values()) {
      if (policy.id.equals(id)) {
        return policy;
      }
    }
    throw NamingErrors.unknownPolicy(id, ids());
  }

  /** The ids of all policies, for people. */
  public static String ids() {
    return Arrays.stream(values()).map(NamingPolicy::id).collect(Collectors.joining(", "));
  }

  /**
   * Returns the table of an imported source.
   *
   * @param sourceType the source's kind as its enumeration spells it
   * @param prefix the team's prefix for the source; null and empty mean that there is none
   * @param table the source table's normalized name
   * @throws InvalidNameException when nothing is left to make a name of
   */
  public String importTable(String sourceType, @Nullable String prefix, String table) {
    String given = prefix == null ? "" : prefix;
    String raw =
        given.isEmpty() ? sourceType + "_" + table : sourceType + "_" + given + "_" + table;
    return table(raw, List.of(sourceType, given, table), IMPORT_WORD);
  }

  /**
   * Returns the table of a model: its label's, or where nothing of that can be used its query's, or
   * else a word that says what it is.
   *
   * @param label what the model is called; may be empty
   * @param queryName the saved query's normalized name; may be empty
   */
  public String modelTable(String label, String queryName) {
    String used = CopyV1.isUsable(label) ? label : queryName;
    return table(used, List.of(used), MODEL_WORD);
  }

  /**
   * Makes a table's name.
   *
   * @param raw what it is made of, joined
   * @param parts the same apart: two lists of parts may give one joined text
   */
  abstract String table(String raw, List<String> parts, String defaultWord);
}
