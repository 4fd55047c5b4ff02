package dev.sluice.activities.storage;

/**
 * Follows a long put or copy, and can stop it. It is called on the thread that called the store,
 * after each part. An exception it throws ends the transfer: what was begun is undone (no open
 * upload, no temporary file is left) and the exception reaches the caller unchanged.
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
