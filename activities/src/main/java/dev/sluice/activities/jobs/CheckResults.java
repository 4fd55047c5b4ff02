package dev.sluice.activities.jobs;

import java.util.List;
import java.util.Objects;

/** The results of verification, stored with the attempt. Thread-safe. */
public final class CheckResults {
  private final StateDatabase home;
  private final ErrorText text;

  /** Makes the store; errors pass through the given cleaner. */
  public CheckResults(StateDatabase home, ErrorText text) {
    this.home = Objects.requireNonNull(home, "home");
    this.text = Objects.requireNonNull(text, "text");
  }

  /** Stores the results in one transaction; a check that ran before is overwritten. */
  public void store(AttemptKey key, List<CheckResult> results) {
    home.write(
        dsl -> {
          for (CheckResult result : results) {
            dsl.execute(
                """
                INSERT INTO sluice.check_result (team, schema_id, path, attempt_id, attempt_number,
                  name, passed, observed, expected, tolerance, description, statement, error)
                VALUES (?, ?, ?, ?, ?, ?, ?, CAST(? AS text), CAST(? AS text), ?, ?,
                  CAST(? AS text), CAST(? AS varchar))
                ON CONFLICT (team, schema_id, path, attempt_id, attempt_number, name) DO UPDATE SET
                  passed = excluded.passed, observed = excluded.observed,
                  expected = excluded.expected, tolerance = excluded.tolerance,
                  description = excluded.description, statement = excluded.statement,
                  error = excluded.error, checked_at = now()
                """,
                key.source().team(),
                key.source().schemaId(),
                key.path().word(),
                key.attempt().attemptId(),
                key.attempt().number(),
                result.name(),
                result.passed(),
                text.cleanOrNull(result.observed()),
                text.cleanOrNull(result.expected()),
                result.tolerance(),
                text.clean(result.description()),
                text.cleanOrNull(result.statement()),
                text.cleanOrNull(result.error()));
          }
          return results.size();
        });
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
