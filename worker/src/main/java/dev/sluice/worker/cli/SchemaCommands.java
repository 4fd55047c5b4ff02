package dev.sluice.worker.cli;

import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.Change.IfExists;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands on schemas. */
final class SchemaCommands {

  private SchemaCommands() {}

  @Command(
      name = "create-schema",
      mixinStandardHelpOptions = true,
      description = "Make a schema.",
      footer = {"", "Example:", "  ./sluice create-schema shop"})
  static final class Create extends LakeChangeCommand {

    @Parameters(paramLabel = "SCHEMA", description = "Its name.")
    private String schema = "";

    @Option(names = "--if-not-exists", description = "Do nothing when it is there.")
    private boolean keep;

    @Override
    Plan plan() {
      return Plan.of(
          "created schema " + schema,
          null,
          new Change.CreateSchema(
              QuotedNames.fresh("schema", schema), keep ? IfExists.KEEP : IfExists.REFUSE));
    }
  }

  @Command(
      name = "drop-schema",
      mixinStandardHelpOptions = true,
      description = "Drop a schema that holds nothing any more. Older snapshots keep it.")
  static final class Drop extends LakeChangeCommand {

    @Parameters(paramLabel = "SCHEMA", description = "Its name.")
    private String schema = "";

    @Override
    Plan plan() {
      return Plan.of(
          "dropped schema " + schema, null, new Change.DropSchema(QuotedNames.unquoted(schema)));
    }
  }
}
