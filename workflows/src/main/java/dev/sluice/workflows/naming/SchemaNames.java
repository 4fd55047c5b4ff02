package dev.sluice.workflows.naming;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Names of the schemas that teams' tables go to. Immutable.
 *
 * @param importsPrefix what stands before the team's number in the schema of imports
 * @param modelingPrefix what stands before the team's number in the schema of models
 * @param importsOverrides schema of imports by team, instead of the prefixed one
 * @param modelingOverrides schema of models by team, instead of the prefixed one
 */
public record SchemaNames(
    String importsPrefix,
    String modelingPrefix,
    Map<Long, String> importsOverrides,
    Map<Long, String> modelingOverrides) {
  /** Prefix of schemas of imports unless configured otherwise. */
  public static final String DEFAULT_IMPORTS_PREFIX = "insights_data_imports_team_";

  /** Prefix of schemas of models unless configured otherwise. */
  public static final String DEFAULT_MODELING_PREFIX = "insights_data_modeling_team_";

  private static final Pattern VALID = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  /**
   * Checks every name that can be checked without a team.
   *
   * @throws InvalidNameException when an override or a prefix cannot make a schema name
   */
  public SchemaNames {
    Objects.requireNonNull(importsPrefix, "importsPrefix");
    Objects.requireNonNull(modelingPrefix, "modelingPrefix");
    importsOverrides = Map.copyOf(importsOverrides);
    modelingOverrides = Map.copyOf(modelingOverrides);
    validate(importsPrefix + "0", "prefix of imports with a team's number");
    validate(modelingPrefix + "0", "prefix of models with a team's number");
    importsOverrides.forEach((team, name) -> validate(name, "imports of team " + team));
    modelingOverrides.forEach((team, name) -> validate(name, "models of team " + team));
  }

  /** Returns the names without any override. */
  public static SchemaNames defaults() {
    return new SchemaNames(DEFAULT_IMPORTS_PREFIX, DEFAULT_MODELING_PREFIX, Map.of(), Map.of());
  }

  /** Returns the schema of a team's imports. */
  public String imports(long team) {
    return validate(
        importsOverrides.getOrDefault(team, importsPrefix + team), "imports of team " + team);
  }

  /** Returns the schema of a team's models. */
  public String modeling(long team) {
    return validate(
        modelingOverrides.getOrDefault(team, modelingPrefix + team), "models of team " + team);
  }

  /**
   * Returns the name when it is 1 to 63 of {@code a-z0-9_} and does not begin with a digit.
   *
   * @param origin where the name comes from, for the message
   * @throws InvalidNameException otherwise
   */
  public static String validate(String name, String origin) {
    if (!VALID.matcher(name).matches()) {
      throw NamingErrors.badSchemaName(name, origin);
    }
    return name;
  }
}
