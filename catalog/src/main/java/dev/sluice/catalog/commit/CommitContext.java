package dev.sluice.catalog.commit;

import org.jooq.DSLContext;

/** The open transaction as a step sees it. Valid only while the step runs; not thread-safe. */
public interface CommitContext extends PlannedCommit {

  /** Queries on the transaction's connection; unqualified names are the lake's own tables. */
  DSLContext dsl();
}
