package dev.sluice.worker.cli;

import picocli.CommandLine.Option;

/** The options every reading command has. */
final class OutputOptions {

  @Option(
      names = "--json",
      description = "Print one JSON document on standard output, and nothing else there.")
  private boolean json;

  @Option(
      names = {"-v", "--verbose"},
      description = "Say more on standard error; failures come with their stack trace.")
  private boolean verbose;

  boolean json() {
    return json;
  }

  boolean verbose() {
    return verbose;
  }
}
