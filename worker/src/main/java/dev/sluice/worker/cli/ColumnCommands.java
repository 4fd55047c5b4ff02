package dev.sluice.worker.cli;

import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.commit.Change;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands on a table's columns. A field of a struct is named COLUMN.FIELD. */
final class ColumnCommands {

  private ColumnCommands() {}

  @Command(
      name = "add-column",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice add-column SCHEMA TABLE COLUMN:TYPE[=VALUE]",
      description = {
        "Add a column; rows that are there read as NULL in it, or as VALUE.",
        "A column is " + ColumnText.FORM + "."
      },
      footer = {
        "",
        "Examples:",
        "  ./sluice add-column shop orders note:varchar",
        "  ./sluice add-column shop orders who.email:varchar"
      })
  static final class Add extends TableChange {

    @Override
    Plan plan() {
      ColumnText.Described added =
          ColumnText.field(rest(1, "add-column SCHEMA TABLE COLUMN:TYPE[=VALUE]").get(0));
      return Plan.of(
          "added column %s to %s".formatted(String.join(".", added.path()), table()),
          table(),
          new Change.AddColumn(ref(), added.parent(), added.column()));
    }
  }

  @Command(
      name = "drop-column",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice drop-column SCHEMA TABLE COLUMN",
      description = "Drop a column. Older snapshots keep it.")
  static final class Drop extends TableChange {

    @Override
    Plan plan() {
      String column = rest(1, "drop-column SCHEMA TABLE COLUMN").get(0);
      return Plan.of(
          "dropped column %s of %s".formatted(column, table()),
          table(),
          new Change.DropColumn(ref(), ColumnText.path(column)));
    }
  }

  @Command(
      name = "rename-column",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice rename-column SCHEMA TABLE COLUMN NEW-NAME",
      description = "Rename a column; its values stay.")
  static final class Rename extends TableChange {

    @Override
    Plan plan() {
      List<String> names = rest(2, "rename-column SCHEMA TABLE COLUMN NEW-NAME");
      return Plan.of(
          "renamed column %s of %s to %s".formatted(names.get(0), table(), names.get(1)),
          table(),
          new Change.RenameColumn(
              ref(), ColumnText.path(names.get(0)), QuotedNames.fresh("column", names.get(1))));
    }
  }

  @Command(
      name = "retype-column",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice retype-column SCHEMA TABLE COLUMN:TYPE",
      description = "Widen a column's type, e.g. from int to bigint; its values stay.")
  static final class Retype extends TableChange {

    @Override
    Plan plan() {
      ColumnText.Described wanted =
          ColumnText.field(rest(1, "retype-column SCHEMA TABLE COLUMN:TYPE").get(0));
      return Plan.of(
          "made column %s of %s %s"
              .formatted(String.join(".", wanted.path()), table(), wanted.column().type().text()),
          table(),
          new Change.RetypeColumn(ref(), wanted.path(), wanted.column().type()));
    }
  }

  @Command(
      name = "set-default",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice set-default SCHEMA TABLE COLUMN VALUE|--remove",
      description = "Set what inserts that do not name a column give it. Rows that are there stay.")
  static final class Default extends TableChange {

    @Option(names = "--remove", description = "From now on that is NULL.")
    private boolean remove;

    @Override
    Plan plan() {
      List<String> words = rest(remove ? 1 : 2, "set-default SCHEMA TABLE COLUMN VALUE|--remove");
      @Nullable String value = remove ? null : words.get(1);
      return Plan.of(
          "set the default of column %s of %s".formatted(words.get(0), table()),
          table(),
          new Change.SetDefault(ref(), QuotedNames.unquoted(words.get(0)), value));
    }
  }

  @Command(
      name = "set-nulls",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice set-nulls SCHEMA TABLE COLUMN allowed|forbidden",
      description = "Allow NULL in a column, or forbid it where no row has it.")
  static final class SetNulls extends TableChange {

    @Override
    Plan plan() {
      String form = "set-nulls SCHEMA TABLE COLUMN allowed|forbidden";
      List<String> words = rest(2, form);
      Nulls nulls =
          switch (words.get(1)) {
            case "allowed" -> Nulls.ALLOWED;
            case "forbidden" -> Nulls.FORBIDDEN;
            default -> throw CommandErrors.wrongWords(form);
          };
      return Plan.of(
          "NULL is %s in column %s of %s".formatted(words.get(1), words.get(0), table()),
          table(),
          new Change.SetNulls(ref(), QuotedNames.unquoted(words.get(0)), nulls));
    }
  }
}
