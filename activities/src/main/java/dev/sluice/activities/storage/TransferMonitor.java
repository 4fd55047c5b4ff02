package dev.sluice.activities.storage;

/**
 * Follows a long put or copy, and can stop it. It is called on the thread that called the store,
 * after each part. An exception it throws ends the transfer and reaches the caller unchanged; what
 * was begun is undone, so that no open upload and no temporary file is left. Only where one request
 * does everything (a small object, a single copy) the object is there when the monitor hears of it.
 */
@FunctionalInterface
public interface TransferMonitor {

  /** Watches nothing and never stops a transfer. */
  TransferMonitor NONE = bytes -> {};

  /**
   * Called after each part with the bytes stored so far by this transfer.
   *
   * @param transferredBytes grows with every call
   */
  void transferred(long transferredBytes);
}
