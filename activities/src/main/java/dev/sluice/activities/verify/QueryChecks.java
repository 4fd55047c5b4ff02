package dev.sluice.activities.verify;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.query.QueryException;
import dev.sluice.activities.query.TableQueries;
import java.math.BigDecimal;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs the operator's own queries; whatever goes wrong with one is its result. */
final class QueryChecks {

  private final TableQueries tables;
  private final QueryParameters parameters;

  QueryChecks(TableQueries tables, QueryParameters parameters) {
    this.tables = tables;
    this.parameters = parameters;
  }

  CheckResult run(SqlCheck check) {
    @Nullable BigDecimal known = check.isOfEachSide() ? null : check.expected();
    try {
      BigDecimal expected =
          check.isOfEachSide() ? number(check, relation -> SqlCheck.SOURCE) : check.expected();
      known = expected;
      BigDecimal observed = number(check, landed(check));
      return result(
          check, CheckMaker.near(expected, observed, check.tolerance()), observed, expected, null);
    } catch (QueryException e) {
      return result(check, false, null, known, Reading.finding(e));
    }
  }

  /** What the relations are when the query is asked about what was landed. */
  private static UnaryOperator<String> landed(SqlCheck check) {
    return check.isOfEachSide() ? relation -> SqlCheck.LANDED : UnaryOperator.identity();
  }

  static CheckResult failed(SqlCheck check, String error) {
    return result(check, false, null, null, error);
  }

  private BigDecimal number(SqlCheck check, UnaryOperator<String> relations) {
    return tables.number(check.query(), relations, parameters.values());
  }

  private static CheckResult result(
      SqlCheck check,
      boolean passed,
      @Nullable BigDecimal observed,
      @Nullable BigDecimal expected,
      @Nullable String error) {
    return new CheckResult(
        check.name(),
        passed,
        observed == null ? null : observed.toPlainString(),
        expected == null ? null : expected.toPlainString(),
        check.tolerance(),
        check.description(),
        check.query().rendered(landed(check)),
        error);
  }
}
