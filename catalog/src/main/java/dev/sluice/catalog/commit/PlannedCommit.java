package dev.sluice.catalog.commit;

import dev.sluice.catalog.TableName;
import java.util.Optional;

/** A commit whose changes are decided, in a transaction that holds the lake's lock. */
public interface PlannedCommit {

  /** The lake's key in the {@code sluice} schema: the metadata schema's name. */
  String lake();

  /** The snapshot this try will make. */
  long snapshotId();

  /** Id of the live table of that name, as the changes so far leave it. */
  Optional<Long> tableId(TableName name);

  /**
   * What others did to the table and this commit drops because the policy allows it, in words that
   * count all and name some; empty when there is nothing.
   */
  Optional<String> replacedForeign(TableName name);
}
