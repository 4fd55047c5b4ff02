package dev.sluice.catalog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition spec as stored.
 *
 * @param id the partition id; null when the table never had a spec
 * @param keys in key-index order; empty when unpartitioned
 */
public record Partitioning(@Nullable Long id, List<PartitionKey> keys) {

  /** Copies the keys. */
  public Partitioning {
    keys = List.copyOf(keys);
  }

  /** No spec. */
  public static Partitioning none() {
    return new Partitioning(null, List.of());
  }
}
