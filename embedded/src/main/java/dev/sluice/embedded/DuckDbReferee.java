package dev.sluice.embedded;

import org.opentest4j.TestAbortedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether real DuckDB with its ducklake extension can judge this test run. On a developer's machine
 * without a package index such tests are skipped loudly; where {@code CI=true} they fail.
 */
public final class DuckDbReferee {

  private static final Logger log = LoggerFactory.getLogger(DuckDbReferee.class);

  private DuckDbReferee() {}

  /**
   * Makes sure that the referee's extensions are there, fetching them once if need be.
   *
   * @throws EmbeddedStackException when they cannot be had and {@code CI=true}
   * @throws TestAbortedException when they cannot be had elsewhere: JUnit reports a skipped test
   */
  public static void assumeAvailable() {
    assumeAvailable(
        DuckDbExtensions.ofProject(),
        "true".equals(System.getenv("CI")) ? Absence.FAILS : Absence.SKIPS);
  }

  static void assumeAvailable(DuckDbExtensions extensions, Absence absence) {
    try {
      extensions.require(DuckDbExtension.REFEREE);
    } catch (EmbeddedStackException e) {
      if (absence == Absence.FAILS) {
        throw e;
      }
      log.warn("SKIPPED, no DuckDB referee: {}", e.getMessage());
      throw new TestAbortedException("no DuckDB referee: " + e.getMessage(), e);
    }
  }

  /** What a test does without its referee. */
  enum Absence {
    FAILS,
    SKIPS
  }
}
