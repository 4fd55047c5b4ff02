package dev.sluice.workflows.naming;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a team's sources become table names. A team keeps its policy for as long as it has tables;
 * names are at most 63 characters under every policy. Different sources can get the same name,
 * which is why a name has one owner.
 */
public enum NamingPolicy {
  /** ASCII letters and digits joined by single underscores; cut at 63. */
  COPY_V1("copy_v1") {
    @Override
    String identifier(String raw, String defaultWord) {
      return CopyV1.identifier(raw, defaultWord);
    }
  },
  /** Snake case of an earlier loader; long names keep both ends around a short hash. */
  LEGACY_BATCH_V1("legacy_batch_v1") {
    @Override
    String identifier(String raw, String defaultWord) {
      return LegacyBatchV1.identifier(raw);
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
    throw NamingErrors.unknownPolicy(
        id, Arrays.stream(values()).map(NamingPolicy::id).collect(Collectors.joining(", ")));
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
    String raw =
        prefix == null || prefix.isEmpty()
            ? sourceType + "_" + table
            : sourceType + "_" + prefix + "_" + table;
    return identifier(raw, IMPORT_WORD);
  }

  /**
   * Returns the table of a model with the given label.
   *
   * @throws InvalidNameException when nothing is left to make a name of
   */
  public static String modelTable(String label) {
    return CopyV1.identifier(label, MODEL_WORD);
  }

  abstract String identifier(String raw, String defaultWord);
}
