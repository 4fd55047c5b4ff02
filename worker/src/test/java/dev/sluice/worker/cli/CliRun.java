package dev.sluice.worker.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** What a command printed and how it ended. */
record CliRun(int exitCode, String out, String err) {

  static CliRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine = SluiceCommand.commandLine();
    commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = commandLine.execute(arguments);
    return new CliRun(exitCode, out.toString(), err.toString());
  }
}
