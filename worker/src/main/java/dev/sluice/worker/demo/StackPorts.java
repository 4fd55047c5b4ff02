package dev.sluice.worker.demo;

/**
 * The TCP ports of an embedded stack on the loopback address.
 *
 * @param postgres the PostgreSQL server's; 0 for any free one
 * @param s3 the S3 endpoint's; 0 for any free one
 * @param temporal the Temporal service's; 0 for any free one
 */
record StackPorts(int postgres, int s3, int temporal) {

  /** Any free ones. */
  static StackPorts free() {
    return new StackPorts(0, 0, 0);
  }
}
