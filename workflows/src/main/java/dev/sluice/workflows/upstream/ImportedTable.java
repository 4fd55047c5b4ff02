package dev.sluice.workflows.upstream;

import dev.sluice.workflows.naming.ProducerOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table that was imported.
 *
 * @param preparedFolder bare name of the folder that holds its files; null when the import wrote a
 *     Delta table, which is copied
 * @param order the producer's order of this generation
 */
public record ImportedTable(@Nullable String preparedFolder, ProducerOrder order) {

  /** Checks presence. */
  public ImportedTable {
    Objects.requireNonNull(order, "order");
  }
}
