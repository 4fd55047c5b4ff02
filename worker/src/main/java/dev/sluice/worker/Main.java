package dev.sluice.worker;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The program's entry: hands the arguments to the commands. Exit codes: 0 done, 1 failed, 2 usage,
 * 3 refused, 4 conflict, 5 outcome unknown.
 */
@Command(
    name = "sluice",
    mixinStandardHelpOptions = true,
    version = "sluice 0.1.0",
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Brings tables that already sit in object storage into a DuckLake,"
            + " complete, verified and versioned.",
    footer = {
      "",
      "The launcher adds:",
      "  test  Run all tests and checks (Maven's arguments may follow).",
      "  mvn   Run Maven with the JDK found."
    },
    subcommands = HelpCommand.class)
public final class Main implements Runnable {

  @Spec private CommandSpec spec;

  /** Starts the program; ends the JVM with the command's exit code. */
  public static void main(String[] arguments) {
    int exitCode = commandLine().execute(arguments);
    System.exit(exitCode);
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main());
  }

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    spec.commandLine().usage(out);
  }
}
