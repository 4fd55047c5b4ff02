package dev.sluice.workflows.upstream;

import dev.sluice.workflows.naming.ProducerOrder;
import java.util.Objects;

/**
 * A query that was materialized.
 *
 * @param tableUri where its Delta table is
 * @param order the version that was made; or the time it was finished, where the table is made anew
 *     each time
 */
public record MaterializedModel(String tableUri, ProducerOrder order) {

  /** Checks presence. */
  public MaterializedModel {
    Objects.requireNonNull(tableUri, "tableUri");
    Objects.requireNonNull(order, "order");
  }
}
