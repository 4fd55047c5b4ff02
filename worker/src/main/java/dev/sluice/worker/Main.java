package dev.sluice.worker;

import dev.sluice.worker.cli.SluiceCommand;

/** The program's entry: hands the arguments to the commands and ends with their exit code. */
public final class Main {

  private Main() {}

  /** Starts the program; ends the JVM with the command's exit code. */
  public static void main(String[] arguments) {
    System.exit(SluiceCommand.commandLine().execute(arguments));
  }
}
