package dev.sluice.worker.demo;

import dev.sluice.workflows.naming.ProducerOrder;
import java.nio.file.Path;

/**
 * One prepared folder on this machine.
 *
 * @param source the source it belongs to
 * @param folder its bare name, {@code <table>__query_<epoch>_<8 hex>}
 * @param order the producer's order, from the name
 * @param directory where its files are
 */
record PreparedGeneration(
    PreparedSource source, String folder, ProducerOrder order, Path directory) {}
