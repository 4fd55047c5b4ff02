package dev.sluice.worker.demo;

import dev.sluice.workflows.naming.ProducerOrder;
import java.nio.file.Path;

/**
 * One generation on this machine: a prepared folder, or the newest version of a Delta table.
 *
 * @param source the source it belongs to
 * @param folder its bare name: {@code <table>__query_<epoch>_<8 hex>}, or that of the table
 * @param order the producer's order: from the name, or the version
 * @param directory where its files are
 */
record PreparedGeneration(
    PreparedSource source, String folder, ProducerOrder order, Path directory) {

  /** Whether it is a version of a Delta table, which is copied. */
  boolean isDelta() {
    return order.kind() == ProducerOrder.Kind.DELTA_VERSION;
  }
}
