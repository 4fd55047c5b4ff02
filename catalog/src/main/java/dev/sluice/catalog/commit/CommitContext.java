package dev.sluice.catalog.commit;

import dev.sluice.catalog.TableName;
import java.util.Optional;
import org.jooq.DSLContext;

/** The open transaction as a step sees it. Valid only while the step runs; not thread-safe. */
public interface CommitContext {

  /** Queries on the transaction's connection; unqualified names are the lake's own tables. */
  DSLContext dsl();

  /** The lake's key in the {@code sluice} schema: the metadata schema's name. */
  String lake();

  /** The snapshot this try will make. */
  long snapshotId();

  /** The newest snapshot before it. */
  long previousSnapshotId();

  /** Id of the live table of that name, as the changes so far leave it. */
  Optional<Long> tableId(TableName name);

  /**
   * What others did to the table and this commit drops because the policy allows it, in words that
   * count all and name some; empty when there is nothing, and before the changes are applied.
   */
  Optional<String> replacedForeign(TableName name);

  /** Rows and files registered by this try for the table; zero before the rows are written. */
  Registered registered(TableName name);

  /** Counted in the database, not in memory. */
  record Registered(long files, long rows, long bytes) {}
}
