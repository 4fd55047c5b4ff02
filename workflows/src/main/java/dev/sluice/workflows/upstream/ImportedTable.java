package dev.sluice.workflows.upstream;

import dev.sluice.workflows.naming.ProducerOrder;
import java.util.Objects;

/**
 * A table that was imported.
 *
 * @param preparedFolder bare name of the folder that holds its files
 * @param order the producer's order of this generation
 */
public record ImportedTable(String preparedFolder, ProducerOrder order) {

  /** Checks presence. */
  public ImportedTable {
    Objects.requireNonNull(preparedFolder, "preparedFolder");
    Objects.requireNonNull(order, "order");
  }
}
