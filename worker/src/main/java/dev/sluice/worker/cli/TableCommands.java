package dev.sluice.worker.cli;

import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.Change.IfExists;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands on whole tables. */
final class TableCommands {

  private TableCommands() {}

  @Command(
      name = "create-table",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice create-table SCHEMA TABLE COLUMN:TYPE... [OPTIONS]",
      description = {
        "Make a table.",
        "A column is " + ColumnText.FORM + ". Types are DuckDB's, nested ones included."
      },
      footer = {
        "",
        "Examples:",
        "  ./sluice create-table shop orders id:bigint! placed:timestamp state:varchar=new",
        "  ./sluice create-table shop events 'at:timestamptz' 'tags:varchar[]'"
            + " 'who:struct(name text, age int)' --partitioned-by 'year(at)' --sorted-by at"
      })
  static final class Create extends TableChange {

    private static final String FORM = "create-table SCHEMA TABLE COLUMN:TYPE...";

    @Option(
        names = "--partitioned-by",
        paramLabel = "KEY",
        description =
            "Partition by a column, by year, month, day or hour of one, or bucket(N, COLUMN); may be"
                + " given several times.")
    private List<String> partitioning = new ArrayList<>();

    @Option(
        names = "--sorted-by",
        paramLabel = "COLUMN[:desc]",
        description = "Write files in this order; may be given several times.")
    private List<String> sorting = new ArrayList<>();

    @Option(names = "--if-not-exists", description = "Do nothing when it is there.")
    private boolean keep;

    @Override
    Plan plan() {
      List<Change> changes = new ArrayList<>();
      changes.add(
          new Change.CreateTable(
              table(),
              some(FORM).stream().map(ColumnText::column).toList(),
              partitioning.stream().map(ColumnText::partitionKey).toList(),
              keep ? IfExists.KEEP : IfExists.REFUSE));
      if (!sorting.isEmpty()) {
        changes.add(
            new Change.SetSortOrder(ref(), sorting.stream().map(ColumnText::sortKey).toList()));
      }
      return new Plan("created table " + table(), keep ? null : table(), changes);
    }
  }

  @Command(
      name = "drop-table",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice drop-table SCHEMA TABLE",
      description = "Drop a table. Older snapshots keep it.")
  static final class Drop extends TableChange {

    @Override
    Plan plan() {
      rest(0, "drop-table SCHEMA TABLE");
      return Plan.of("dropped table " + table(), table(), new Change.DropTable(ref()));
    }
  }

  @Command(
      name = "rename-table",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice rename-table SCHEMA TABLE NEW-NAME",
      description = "Rename a table within its schema; its id and content stay.")
  static final class Rename extends TableChange {

    @Override
    Plan plan() {
      String name = rest(1, "rename-table SCHEMA TABLE NEW-NAME").get(0);
      return Plan.of(
          "renamed table %s to %s".formatted(table(), name),
          table(),
          new Change.RenameTable(ref(), QuotedNames.fresh("table", name)));
    }
  }

  @Command(
      name = "partition-table",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice partition-table SCHEMA TABLE [KEY...]",
      description = {
        "Set what new files of a table are partitioned by; no key ends it.",
        "A key is a column, year(COLUMN), month(COLUMN), day(COLUMN), hour(COLUMN) or"
            + " bucket(N, COLUMN)."
      })
  static final class Partition extends TableChange {

    @Override
    Plan plan() {
      return Plan.of(
          rest().isEmpty()
              ? "ended the partitioning of " + table()
              : "partitioned %s by %s".formatted(table(), String.join(", ", rest())),
          table(),
          new Change.SetPartitioning(
              ref(), rest().stream().map(ColumnText::partitionKey).toList()));
    }
  }

  @Command(
      name = "sort-table",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice sort-table SCHEMA TABLE [COLUMN[:desc]...]",
      description = "Set the order in which new files of a table are written; no column ends it.")
  static final class Sort extends TableChange {

    @Override
    Plan plan() {
      return Plan.of(
          rest().isEmpty()
              ? "ended the sort order of " + table()
              : "sorted %s by %s".formatted(table(), String.join(", ", rest())),
          table(),
          new Change.SetSortOrder(ref(), rest().stream().map(ColumnText::sortKey).toList()));
    }
  }

  @Command(
      name = "comment",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice comment SCHEMA TABLE [--column COLUMN] TEXT|--remove",
      description = "Say what a table or a column is, for everybody who reads the lake.")
  static final class Comment extends TableChange {

    @Option(
        names = "--column",
        paramLabel = "COLUMN",
        description = "The column; a field of a struct as COLUMN.FIELD.")
    private @Nullable String column;

    @Option(names = "--remove", description = "Take the comment away.")
    private boolean remove;

    @Override
    Plan plan() {
      String form = "comment SCHEMA TABLE [--column COLUMN] TEXT|--remove";
      @Nullable String text = rest(remove ? 0 : 1, form).stream().findFirst().orElse(null);
      List<String> path =
          Stream.ofNullable(column).flatMap(c -> ColumnText.path(c).stream()).toList();
      String what =
          column == null ? "table " + table() : "column %s of %s".formatted(column, table());
      return Plan.of(
          remove ? "took the comment off " + what : "commented " + what,
          table(),
          new Change.SetComment(ref(), path, text));
    }
  }
}
