package dev.sluice.activities.verify;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.query.TableFacts;
import dev.sluice.catalog.Column;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The checks of depth {@code content}: digests of all values per column, and of whole rows, which
 * also tell when values changed places between rows.
 */
final class ContentChecks {

  static final String ROWS = "content";

  private static final int HEX = 16;
  private static final String OF_ROWS = "digest of all rows, read from both sides";
  private static final String OF_COLUMN = "digest of all values, read from both sides";

  private ContentChecks() {}

  static List<CheckResult> results(
      List<Column> columns, Reading source, Reading landed, CheckMaker maker) {
    TableFacts expected = source.facts();
    TableFacts observed = landed.facts();
    List<CheckResult> results = new ArrayList<>();
    if (expected == null || observed == null) {
      String error = String.valueOf(source.error() == null ? landed.error() : source.error());
      results.add(maker.failed(ROWS, OF_ROWS, error));
      columns.forEach(column -> results.add(maker.failed(name(column), OF_COLUMN, error)));
      return results;
    }
    results.add(
        maker.compared(
            ROWS,
            OF_ROWS,
            text(expected.rows(), expected.rowDigest()),
            text(observed.rows(), observed.rowDigest())));
    for (Column column : columns) {
      results.add(
          maker.compared(
              name(column),
              OF_COLUMN,
              text(expected.rows(), digest(expected, column)),
              text(observed.rows(), digest(observed, column))));
    }
    return results;
  }

  private static String name(Column column) {
    return ROWS + "." + column.name();
  }

  private static BigInteger digest(TableFacts facts, Column column) {
    return facts.digests().getOrDefault(column.name(), BigInteger.ZERO);
  }

  private static String text(long rows, BigInteger digest) {
    return "%d rows, %s".formatted(rows, digest.toString(HEX));
  }
}
