package dev.sluice.worker.cli;

import org.jspecify.annotations.Nullable;

/**
 * A command that cannot do what it was asked for. The exit code answers what a caller may do: only
 * FAILED may pass by itself, CONFLICT needs a new plan, OUTCOME_UNKNOWN a repetition.
 */
final class CommandException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  CommandException(ExitCode exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  ExitCode exitCode() {
    return exitCode;
  }
}
