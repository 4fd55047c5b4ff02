package dev.sluice.embedded;

import java.util.function.Supplier;
import org.opentest4j.TestAbortedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a test does without something that could not be fetched. On a developer's machine without a
 * package index such tests are skipped loudly; where {@code CI=true} they fail.
 */
enum Absence {
  FAILS,
  SKIPS;

  private static final Logger log = LoggerFactory.getLogger(Absence.class);

  /** As it is on this machine. */
  static Absence here() {
    return "true".equals(System.getenv("CI")) ? FAILS : SKIPS;
  }

  /**
   * What is fetched, or the end of the test.
   *
   * @param what names it
   * @throws EmbeddedStackException when it cannot be had and the test fails
   * @throws TestAbortedException when it cannot be had and the test is skipped
   */
  <T> T orEnd(String what, Supplier<T> fetched) {
    try {
      return fetched.get();
    } catch (EmbeddedStackException e) {
      if (this == FAILS) {
        throw e;
      }
      log.warn("SKIPPED, no {}: {}", what, e.getMessage());
      throw new TestAbortedException("no " + what + ": " + e.getMessage(), e);
    }
  }
}
