package dev.sluice.embedded;

/** What a {@link ConnectionCutter} does with a COMMIT on its way to the server. */
public enum CommitFate {
  /** The COMMIT never reaches the server: the connection is cut and the server rolls back. */
  CUT_BEFORE,
  /**
   * The COMMIT reaches the server and is carried out, but its answer never reaches the client: the
   * connection is cut instead. The client cannot tell this from {@link #CUT_BEFORE}.
   */
  CUT_AFTER,
  /**
   * The COMMIT waits in the proxy until the test releases it: {@link
   * ConnectionCutter.PlannedCommit#release()}. The client waits with it.
   */
  HOLD
}
