package dev.sluice.worker.cli;

import dev.sluice.activities.lake.InsertRequest;
import dev.sluice.activities.lake.LakeTables;
import dev.sluice.activities.lake.RowCondition;
import dev.sluice.activities.lake.RowSource;
import dev.sluice.activities.lake.UpdateRequest;
import dev.sluice.activities.lake.UpsertRequest;
import dev.sluice.activities.lake.WriteResult;
import dev.sluice.catalog.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Commands on a table's rows. */
final class RowCommands {

  private RowCommands() {}

  /** The condition behind {@code where}, which may be left out. */
  private static RowCondition condition(String text, Table table) {
    return RowCondition.of(ConditionParser.parse(text, table));
  }

  /** A write that brings rows from outside. */
  abstract static class Bringing extends LakeWriteCommand {

    @Mixin private RowSourceOptions rows = new RowSourceOptions();

    @Option(
        names = "--batch",
        paramLabel = "ID",
        description = "Names these rows: a table takes a batch once, however often it is sent.")
    private @Nullable String batch;

    private final String command;

    Bringing(String command) {
      this.command = command;
    }

    @Override
    void read(List<String> rest) {
      rows.read(command, rest);
    }

    RowSource source() {
      return rows.source();
    }

    @Nullable String batch() {
      return batch;
    }
  }

  @Command(
      name = "insert",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice insert SCHEMA TABLE COLUMN=VALUE...|--from FILE|--select SQL",
      description = {
        "Add rows to a table.",
        "Values are written as DuckDB prints them; NULL is none. Columns are found by name, and one"
            + " that is not given gets its default."
      },
      footer = {
        "",
        "Examples:",
        "  ./sluice insert shop orders id=1 state=open 'tags=[a, b]'",
        "  ./sluice insert shop orders --from orders.csv --batch 2026-07-01",
        "  ./sluice insert shop orders --select \"SELECT * FROM read_parquet('orders.parquet')\"",
        "  ./sluice insert shop orders --select \"SELECT * FROM shop.returned WHERE day > '2026-01-01'\""
      })
  static final class Insert extends Bringing {

    Insert() {
      super("insert");
    }

    @Override
    WriteResult write(LakeTables tables, Table table) {
      return tables.insert(new InsertRequest(table.name(), source(), List.of(), batch(), note()));
    }
  }

  @Command(
      name = "upsert",
      mixinStandardHelpOptions = true,
      customSynopsis =
          "./sluice upsert SCHEMA TABLE --key COLUMN COLUMN=VALUE...|--from FILE|--select SQL",
      description = {
        "Give the rows whose key is there new values, and add the others, in one snapshot.",
        "Columns that are not given keep their value."
      },
      footer = {"", "Example:", "  ./sluice upsert shop orders --key id --from changes.jsonl"})
  static final class Upsert extends Bringing {

    Upsert() {
      super("upsert");
    }

    @Option(
        names = "--key",
        required = true,
        paramLabel = "COLUMN",
        description = "Tells rows apart; may be given several times.")
    private List<String> keys = new ArrayList<>();

    @Override
    WriteResult write(LakeTables tables, Table table) {
      return tables.upsert(
          new UpsertRequest(
              table.name(),
              source(),
              keys.stream().map(QuotedNames::unquoted).toList(),
              batch(),
              note()));
    }
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice delete SCHEMA TABLE where CONDITION",
      description = {
        "Delete the rows that match. Older snapshots keep them.",
        "All rows are deleted with ./sluice truncate."
      },
      footer = {"", "Example:", "  ./sluice delete shop orders where \"state = 'lost'\""})
  static final class Delete extends LakeWriteCommand {

    private static final String FORM = "delete SCHEMA TABLE where CONDITION";

    private String condition = "";

    @Override
    void read(List<String> rest) {
      boolean worded = !rest.isEmpty() && rest.get(0).equalsIgnoreCase("where");
      condition = String.join(" ", worded ? rest.subList(1, rest.size()) : rest);
      if (condition.isBlank()) {
        throw CommandErrors.wrongWords(FORM);
      }
    }

    @Override
    WriteResult write(LakeTables tables, Table table) {
      return tables.delete(table.name(), condition(condition, table), note());
    }
  }

  @Command(
      name = "truncate",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice truncate SCHEMA TABLE",
      description = "Delete all rows. Older snapshots keep them.")
  static final class Truncate extends LakeWriteCommand {

    @Override
    void read(List<String> rest) {
      if (!rest.isEmpty()) {
        throw CommandErrors.wrongWords("truncate SCHEMA TABLE");
      }
    }

    @Override
    WriteResult write(LakeTables tables, Table table) {
      return tables.truncate(table.name(), note());
    }
  }

  @Command(
      name = "update",
      mixinStandardHelpOptions = true,
      customSynopsis = "./sluice update SCHEMA TABLE set COLUMN = EXPRESSION, ... where CONDITION",
      description = {
        "Give the rows that match new values, under their old row ids.",
        "An expression is DuckDB's, over the row's old values. For all rows say where true."
      },
      footer = {
        "",
        "Example:",
        "  ./sluice update shop orders set \"state = 'paid', amount = amount * 2\" where \"id = 7\""
      })
  static final class Update extends LakeWriteCommand {

    private static final String FORM =
        "update SCHEMA TABLE set COLUMN = EXPRESSION, ... where CONDITION";

    private Map<String, String> values = new LinkedHashMap<>();
    private String condition = "";

    @Override
    void read(List<String> rest) {
      Map<String, String> said = WordArguments.values("update", rest, List.of("set", "where"));
      String set = said.get("set");
      String where = said.get("where");
      if (set == null || where == null) {
        throw CommandErrors.wrongWords(FORM);
      }
      values = Assignments.parse(set);
      condition = where;
    }

    @Override
    WriteResult write(LakeTables tables, Table table) {
      RowCondition rows =
          condition.equalsIgnoreCase("true") ? RowCondition.all() : condition(condition, table);
      return tables.update(new UpdateRequest(table.name(), values, rows, note()));
    }
  }
}
