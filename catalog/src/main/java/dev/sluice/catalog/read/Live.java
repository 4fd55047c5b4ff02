package dev.sluice.catalog.read;

import org.jooq.Condition;
import org.jooq.Field;

/** The rows that a snapshot sees. */
final class Live {

  private Live() {}

  static Condition at(long snapshotId, Field<Long> begin, Field<Long> end) {
    return begin.le(snapshotId).and(end.isNull().or(end.gt(snapshotId)));
  }
}
