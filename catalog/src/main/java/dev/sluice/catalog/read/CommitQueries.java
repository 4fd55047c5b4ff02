package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.sluice.Tables.COMMIT_LOG;

import java.util.Optional;
import org.jooq.DSLContext;

/** The commits that Sluice made. */
final class CommitQueries {

  private CommitQueries() {}

  static Optional<Long> commit(DSLContext dsl, String lake, String key) {
    return dsl.select(COMMIT_LOG.SNAPSHOT_ID)
        .from(COMMIT_LOG)
        .where(COMMIT_LOG.LAKE.eq(lake))
        .and(COMMIT_LOG.IDEMPOTENCY_KEY.eq(key))
        .fetchOptional(COMMIT_LOG.SNAPSHOT_ID);
  }
}
