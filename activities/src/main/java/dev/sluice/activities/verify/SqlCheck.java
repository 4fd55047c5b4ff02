package dev.sluice.activities.verify;

import dev.sluice.activities.query.SqlTemplate;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.Set;

/**
 * A check by a query of the operator's own. A query of {@code {table}} runs on the source and on
 * what was landed, and the two numbers are compared; one of {@code {source}} and {@code {landed}}
 * runs once, and its number is compared with the expected one.
 *
 * @param name the check's name, unique among those of a table
 * @param query one SELECT that gives one number
 * @param description what it compares
 * @param expected what a query of both sides should give; without meaning for the other kind
 * @param tolerance greatest difference that passes, at least 0
 */
public record SqlCheck(
    String name, SqlTemplate query, String description, BigDecimal expected, double tolerance) {

  /** Either side. */
  public static final String TABLE = "table";

  /** The source's own files. */
  public static final String SOURCE = "source";

  /** What was landed, as it will be registered. */
  public static final String LANDED = "landed";

  private static final Set<String> RELATIONS = Set.of(TABLE, SOURCE, LANDED);

  /** Checks presence. */
  public SqlCheck {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(query, "query");
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(expected, "expected");
  }

  /**
   * Parses a check's query.
   *
   * @throws IllegalArgumentException with the reason, when it cannot be run as one
   */
  public static SqlTemplate parse(String sql) {
    SqlTemplate query = SqlTemplate.parse(sql, RELATIONS, QueryParameters.NAMES);
    Set<String> relations = query.relations();
    if (relations.isEmpty()) {
      throw new IllegalArgumentException(
          "it reads neither {table} nor {source} and {landed}, so it checks nothing");
    }
    if (relations.contains(TABLE) && relations.size() > 1) {
      throw new IllegalArgumentException(
          "it reads {table}, which is each side in turn, beside one side by name; use either");
    }
    return query;
  }

  /** Whether it runs on each side for itself. */
  boolean isOfEachSide() {
    return query.relations().contains(TABLE);
  }
}
