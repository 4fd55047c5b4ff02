package dev.sluice.catalog.commit;

import java.util.HashSet;
import java.util.Set;

/**
 * Tables that were seen to hold nothing but what we put there. That stays true as long as every
 * snapshot since is in the commit log, so it need not be looked for again at each publication. Used
 * under the lake's lock by one thread at a time; not thread-safe beyond that.
 */
final class OwnTables {

  private final Set<Long> known = new HashSet<>();
  private long seenUpTo = -1;

  /** The newest snapshot that was looked at; -1 for none. */
  long seenUpTo() {
    return seenUpTo;
  }

  /**
   * Begins a transaction.
   *
   * @param newest the newest snapshot
   * @param ours how many snapshots since the one seen last the commit log has
   */
  void begin(long newest, long ours) {
    if (seenUpTo < 0 || newest - seenUpTo != ours) {
      known.clear();
    }
    seenUpTo = newest;
  }

  /** Our transaction is committed, and with it this snapshot. */
  void committed(long newest) {
    seenUpTo = newest;
  }

  boolean contains(long tableId) {
    return known.contains(tableId);
  }

  void add(long tableId) {
    known.add(tableId);
  }

  /** Forgets everything, e.g. after a failure. */
  void clear() {
    known.clear();
    seenUpTo = -1;
  }
}
