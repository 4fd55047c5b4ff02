package dev.sluice.worker.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command without a command: prints what there is. */
@Command(
    name = "./sluice",
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
      "  mvn   Run Maven with the JDK found.",
      "",
      "Exit codes: 0 done, 1 failed, 2 usage, 3 refused, 4 conflict, 5 outcome unknown."
    },
    subcommands = {
      DemoCommand.class,
      DevCommand.class,
      MigrateCommand.class,
      WorkerCommand.class,
      StartCommand.class,
      ReplCommand.class,
      ScanCommand.class,
      SqlCommand.class,
      ChangesCommand.class,
      ExplainCommand.class,
      TablesCommand.class,
      DescribeCommand.class,
      FilesCommand.class,
      SnapshotsCommand.class,
      RowCommands.Insert.class,
      RowCommands.Upsert.class,
      RowCommands.Update.class,
      RowCommands.Delete.class,
      RowCommands.Truncate.class,
      SchemaCommands.Create.class,
      SchemaCommands.Drop.class,
      TableCommands.Create.class,
      TableCommands.Drop.class,
      TableCommands.Rename.class,
      TableCommands.Partition.class,
      TableCommands.Sort.class,
      TableCommands.Comment.class,
      ColumnCommands.Add.class,
      ColumnCommands.Drop.class,
      ColumnCommands.Rename.class,
      ColumnCommands.Retype.class,
      ColumnCommands.Default.class,
      ColumnCommands.SetNulls.class,
      JobsCommand.class,
      WhyCommand.class,
      ChecksCommand.class,
      GenerationsCommand.class,
      RollbackCommand.class,
      PauseCommand.class,
      ResumeCommand.class,
      RenameTablesCommand.class,
      LandingsCommand.class,
      BenchCommand.class,
      HelpCommand.class
    })
public final class SluiceCommand implements Runnable {

  @Spec private CommandSpec spec;

  private SluiceCommand() {}

  /** The whole command line; executing it returns the exit code and ends nothing. */
  public static CommandLine commandLine() {
    return new CommandLine(new SluiceCommand())
        .setExecutionExceptionHandler(new ErrorReport())
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    spec.commandLine().usage(out);
  }
}
