package dev.sluice.activities.verify;

import dev.sluice.activities.query.QueryException;
import dev.sluice.activities.query.TableFacts;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What reading a side gave: facts, or why the data cannot be read. That a store cannot be reached
 * or the worker stops is no finding and stays an exception.
 *
 * @param facts null when it failed
 * @param error null when it did not
 */
record Reading(@Nullable TableFacts facts, @Nullable String error) {

  static Reading of(Supplier<TableFacts> read) {
    try {
      return new Reading(read.get(), null);
    } catch (QueryException e) {
      return new Reading(null, finding(e));
    }
  }

  /**
   * The error as a finding.
   *
   * @throws QueryException the same one when it may pass by itself
   */
  static String finding(QueryException e) {
    return switch (e.kind()) {
      case WRONG_FILE, UNREADABLE_DATA -> String.valueOf(e.getMessage());
      case FILE_UNAVAILABLE, INTERRUPTED, INVALID_REQUEST -> throw e;
    };
  }
}
