package dev.sluice.worker.demo;

import dev.sluice.workflows.naming.ProducerOrder;
import java.nio.file.Path;

/**
 * One generation on this machine: a prepared folder, or a version of a Delta table.
 *
 * @param source the source it belongs to
 * @param folder its bare name: {@code <table>__query_<epoch>_<8 hex>}, or that of the table
 * @param order the producer's order: from the name, or the version
 * @param directory where its files are
 */
record PreparedGeneration(
    PreparedSource source, String folder, ProducerOrder order, Path directory) {

  /** The same generation of another source. */
  PreparedGeneration of(PreparedSource other) {
    return new PreparedGeneration(other, folder, order, directory);
  }

  /** What people are told that it is. */
  String label() {
    return isDelta() ? folder + " version " + order.value() : folder;
  }

  /** Whether it is a version of a Delta table, which is copied. */
  boolean isDelta() {
    return order.kind() == ProducerOrder.Kind.DELTA_VERSION;
  }
}
