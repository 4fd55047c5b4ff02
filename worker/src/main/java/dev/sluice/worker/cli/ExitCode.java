package dev.sluice.worker.cli;

/** How a command ended, as the shell sees it. */
enum ExitCode {
  /** Done. */
  DONE(0),
  /** Failed; the same command may succeed later. */
  FAILED(1),
  /** The arguments or the configuration are wrong. */
  USAGE(2),
  /** What was asked for was refused; nothing was changed. */
  REFUSED(3),
  /** Somebody else's work stands in the way; nothing was changed. */
  CONFLICT(4),
  /** Whether it took place is not known; repeating the command finds out. */
  OUTCOME_UNKNOWN(5);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
