package dev.sluice.embedded;

import org.opentest4j.TestAbortedException;

/**
 * Whether real DuckDB with its ducklake extension can judge this test run. On a developer's machine
 * without a package index such tests are skipped loudly; where {@code CI=true} they fail.
 */
public final class DuckDbReferee {

  private DuckDbReferee() {}

  /**
   * Makes sure that the referee's extensions are there, fetching them once if need be.
   *
   * @throws EmbeddedStackException when they cannot be had and {@code CI=true}
   * @throws TestAbortedException when they cannot be had elsewhere: JUnit reports a skipped test
   */
  public static void assumeAvailable() {
    assumeAvailable(DuckDbExtensions.ofProject(), Absence.here());
  }

  static void assumeAvailable(DuckDbExtensions extensions, Absence absence) {
    absence.orEnd(
        "DuckDB referee",
        () -> {
          extensions.require(DuckDbExtension.REFEREE);
          return extensions;
        });
  }
}
