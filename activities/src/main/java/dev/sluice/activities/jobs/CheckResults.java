package dev.sluice.activities.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Param;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The results of verification, stored with the attempt. Thread-safe. */
public final class CheckResults {
  private final StateDatabase home;
  private final ErrorText text;

  /** Makes the store; errors pass through the given cleaner. */
  public CheckResults(StateDatabase home, ErrorText text) {
    this.home = Objects.requireNonNull(home, "home");
    this.text = Objects.requireNonNull(text, "text");
  }

  /**
   * Stores the results in one transaction, in place of those that the attempt had before: checks
   * run as a whole, and another worker may be configured otherwise.
   */
  public void store(AttemptKey key, List<CheckResult> results) {
    home.write(
        dsl -> {
          dsl.execute(
              """
              DELETE FROM sluice.check_result WHERE team = ? AND schema_id = ?
                AND path = ? AND attempt_id = ? AND attempt_number = ?
              """,
              key.source().team(),
              key.source().schemaId(),
              key.path().word(),
              key.attempt().attemptId(),
              key.attempt().number());
          if (!results.isEmpty()) {
            insert(dsl, key, List.copyOf(results));
          }
          return results.size();
        });
  }

  /** One statement for all: a wide table has thousands of checks. */
  private void insert(DSLContext dsl, AttemptKey key, List<CheckResult> results) {
    dsl.execute(
        """
        INSERT INTO sluice.check_result (team, schema_id, path, attempt_id, attempt_number,
          name, passed, observed, expected, tolerance, description, statement, error)
        SELECT {0}, {1}, {2}, {3}, {4}, c.* FROM unnest({5}, {6}, {7}, {8}, {9}, {10}, {11}, {12}) AS c
        """,
        DSL.val(key.source().team()),
        DSL.val(key.source().schemaId()),
        DSL.val(key.path().word()),
        DSL.val(key.attempt().attemptId()),
        DSL.val(key.attempt().number()),
        texts(results, CheckResult::name),
        array(results, CheckResult::passed, SQLDataType.BOOLEAN, new Boolean[0]),
        texts(results, result -> text.cleanOrNull(result.observed())),
        texts(results, result -> text.cleanOrNull(result.expected())),
        array(results, CheckResult::tolerance, SQLDataType.DOUBLE, new Double[0]),
        texts(results, result -> text.clean(result.description())),
        texts(results, result -> text.cleanOrNull(result.statement())),
        texts(results, result -> text.cleanOrNull(result.error())));
  }

  private static Param<?> texts(
      List<CheckResult> results, Function<CheckResult, @Nullable String> part) {
    return array(results, part, SQLDataType.CLOB, new String[0]);
  }

  private static <V> Param<?> array(
      List<CheckResult> results,
      Function<CheckResult, @Nullable V> part,
      DataType<V> type,
      V[] empty) {
    List<@Nullable V> values = new ArrayList<>(results.size());
    results.forEach(result -> values.add(part.apply(result)));
    return DSL.val(values.toArray(empty), type.array());
  }

  /** The results of an attempt, by name. */
  public List<CheckResult> of(AttemptKey key) {
    return home.read(
        dsl ->
            dsl.fetch(
                    """
                    SELECT * FROM sluice.check_result WHERE team = ? AND schema_id = ?
                      AND path = ? AND attempt_id = ? AND attempt_number = ? ORDER BY name
                    """,
                    key.source().team(),
                    key.source().schemaId(),
                    key.path().word(),
                    key.attempt().attemptId(),
                    key.attempt().number())
                .map(
                    row ->
                        new CheckResult(
                            row.get("name", String.class),
                            row.get("passed", Boolean.class),
                            row.get("observed", String.class),
                            row.get("expected", String.class),
                            row.get("tolerance", Double.class),
                            row.get("description", String.class),
                            row.get("statement", String.class),
                            row.get("error", String.class))));
  }
}
