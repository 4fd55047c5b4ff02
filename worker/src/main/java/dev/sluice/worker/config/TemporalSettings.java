package dev.sluice.worker.config;

import java.util.Objects;

/**
 * How to reach the Temporal service.
 *
 * @param address host and port of its front end
 * @param namespace the namespace
 * @param queue the task queue of the workers
 * @param encryption whether the connection is encrypted
 */
public record TemporalSettings(
    String address, String namespace, String queue, Encryption encryption) {
  static final String DEFAULT_ADDRESS = "localhost:7233";
  static final String DEFAULT_NAMESPACE = "default";
  static final String DEFAULT_QUEUE = "sluice";

  /** Whether a connection is encrypted. */
  public enum Encryption {
    NONE,
    TLS
  }

  /** Checks presence. */
  public TemporalSettings {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(encryption, "encryption");
  }
}
