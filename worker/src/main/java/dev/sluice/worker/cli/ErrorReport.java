package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.ErrorText;
import io.temporal.failure.TemporalFailure;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Prints what a command threw: problem, reason and remedy in a line or two; the stack trace only
 * when asked for. Credentials inside connection strings never come through.
 */
final class ErrorReport implements IExecutionExceptionHandler {

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine commandLine, ParseResult arguments) {
    PrintWriter err = commandLine.getErr();
    ErrorText text = ErrorText.withoutKnownSecrets();
    err.println("sluice: " + text.clean(message(failure)));
    if (isVerbose(arguments)) {
      java.io.StringWriter trace = new java.io.StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      err.println(text.redact(trace.toString()));
    } else if (failure.getMessage() == null) {
      err.println("sluice: --verbose shows where");
    }
    err.flush();
    return ExitCodes.of(failure).code();
  }

  private static String message(Throwable failure) {
    // Temporal's failures put type and flags around what was said.
    String message =
        failure instanceof TemporalFailure said ? said.getOriginalMessage() : failure.getMessage();
    return message == null || message.isBlank() ? failure.toString() : message;
  }

  private static boolean isVerbose(ParseResult arguments) {
    ParseResult at = arguments;
    while (at.hasSubcommand()) {
      at = at.subcommand();
    }
    return List.of("--verbose", "-v").stream().anyMatch(at::hasMatchedOption);
  }
}
