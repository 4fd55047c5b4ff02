package dev.sluice.worker.cli;

import dev.sluice.catalog.Schema;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.TableName;
import dev.sluice.worker.wiring.HomeStores;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What commands say when they refuse their arguments or find nothing. */
final class CommandErrors {

  private CommandErrors() {}

  static CommandException badTableName(String text) {
    return new CommandException(
        ExitCode.USAGE,
        "table " + text + ": not a qualified name; required: SCHEMA.TABLE or SCHEMA TABLE",
        null);
  }

  static CommandException badCondition(String text, int position, String problem) {
    return new CommandException(
        ExitCode.USAGE,
        "condition "
            + text
            + ": "
            + problem
            + " at character "
            + (position + 1)
            + "; example: \"carrier = 'AA' and distance between 100 and 500\"",
        null);
  }

  static CommandException badWords(String command, String word, List<String> keywords) {
    return new CommandException(
        ExitCode.USAGE,
        command
            + ": cannot make sense of '"
            + word
            + "'; what may follow is, each with its value: "
            + String.join(", ", keywords),
        null);
  }

  static CommandException rowsFrom(String command) {
    return new CommandException(
        ExitCode.USAGE,
        command
            + ": rows come from one place; required: COLUMN=VALUE words, --from FILE or --select SQL",
        null);
  }

  static CommandException unknownRowFile(Path file) {
    return new CommandException(
        ExitCode.USAGE,
        "file "
            + file
            + ": its name does not say what it is; required: .csv, .json, .jsonl, .ndjson or"
            + " .parquet",
        null);
  }

  static CommandException dottedName(String what, String text) {
    return new CommandException(
        ExitCode.USAGE,
        "%s %s: the new name has a dot; required: the name alone, or in double quotes when the dot is part of it"
            .formatted(what, text),
        null);
  }

  static CommandException badValue(String word) {
    return new CommandException(
        ExitCode.USAGE, "value " + word + ": cannot be read; required: COLUMN=VALUE", null);
  }

  static CommandException badAssignment(String text) {
    return new CommandException(
        ExitCode.USAGE,
        "assignment "
            + text
            + ": cannot be read; required: COLUMN = EXPRESSION, each column once, commas between",
        null);
  }

  static CommandException wrongWords(String form) {
    return new CommandException(
        ExitCode.USAGE, "the command's words do not fit; required: " + form, null);
  }

  static CommandException badColumn(String text) {
    return new CommandException(
        ExitCode.USAGE,
        "column "
            + text
            + ": cannot be read; required: "
            + ColumnText.FORM
            + ", such as id:bigint!",
        null);
  }

  static CommandException badColumnPath(String text) {
    return new CommandException(
        ExitCode.USAGE,
        "column " + text + ": a name is empty; required: COLUMN or COLUMN.FIELD",
        null);
  }

  static CommandException badPartitionKey(String text, Throwable cause) {
    return new CommandException(
        ExitCode.USAGE,
        "partition key "
            + text
            + ": cannot be read; required: COLUMN, year(COLUMN), month(COLUMN), day(COLUMN),"
            + " hour(COLUMN) or bucket(N, COLUMN)",
        cause);
  }

  /** A person's change of what a source publishes. */
  static CommandException publishedTable(TableName table, String source) {
    return new CommandException(
        ExitCode.REFUSED,
        "table "
            + table
            + ": source "
            + source
            + " publishes to it, and its next generation replaces what is changed by hand; change a"
            + " table of your own, or say --published",
        null);
  }

  static CommandException parquetNeedsFile() {
    return new CommandException(
        ExitCode.USAGE,
        "output parquet: it is no text and is not printed; name a new file with --to",
        null);
  }

  static CommandException onlyScansAreParquet() {
    return new CommandException(
        ExitCode.USAGE,
        "output parquet: only scan writes it; choose table, csv, json or jsonl",
        null);
  }

  static CommandException twoForms(String form) {
    return new CommandException(
        ExitCode.USAGE,
        "output "
            + form.toLowerCase(Locale.ROOT)
            + ": --json asks for another form; give one of the two",
        null);
  }

  static CommandException notWritten(Path file, IOException cause) {
    return new CommandException(
        ExitCode.REFUSED,
        "file "
            + file
            + ": it cannot be written; "
            + (cause instanceof FileAlreadyExistsException
                ? "it exists and is not overwritten"
                : cause.toString())
            + "; name another file",
        cause);
  }

  static CommandException badSnapshot(String text) {
    return new CommandException(
        ExitCode.USAGE,
        "snapshot "
            + text
            + ": neither a number nor a time such as 2026-07-01T12:00:00Z or '2026-07-01 12:00:00'",
        null);
  }

  static CommandException twoOrders(long version, String order) {
    return new CommandException(
        ExitCode.USAGE,
        "start copy-import: version "
            + version
            + " and order "
            + order
            + " were both given, and either decides which version is copied; give one",
        null);
  }

  static CommandException notPositive(String name, long number) {
    return new CommandException(
        ExitCode.USAGE, name + " " + number + ": too small; required: 1 or more", null);
  }

  static CommandException noSchema(String name, Snapshot snapshot, List<Schema> schemas) {
    return new CommandException(
        ExitCode.REFUSED,
        "schema "
            + name
            + ": not in snapshot "
            + snapshot.id()
            + "; the schemas there are "
            + schemas.stream().map(Schema::name).collect(Collectors.joining(", ")),
        null);
  }

  static CommandException badNumber(String name, String text) {
    return new CommandException(
        ExitCode.USAGE, name + " " + text + ": not a number; required: 0 or more", null);
  }

  /** Nobody publishes to the table; says where it went when it was renamed. */
  static CommandException unknownTable(TableName table, HomeStores home) {
    List<String> since = home.renames().namesSince(table.schema(), table.table());
    return since.isEmpty() ? unknownTable(table) : renamedTable(table, since);
  }

  private static CommandException unknownTable(TableName table) {
    return new CommandException(
        ExitCode.REFUSED,
        "table " + table + ": no source publishes to it; look for its name with: ./sluice jobs",
        null);
  }

  private static CommandException renamedTable(TableName table, List<String> since) {
    return new CommandException(
        ExitCode.REFUSED,
        "table "
            + table
            + ": no source publishes to it any more; it was renamed; use "
            + String.join(" or ", since),
        null);
  }

  static CommandException nothingToUndo(long team) {
    return new CommandException(
        ExitCode.REFUSED,
        "team "
            + team
            + ": nothing can be undone; its tables were never renamed; rename them with"
            + " --to-policy",
        null);
  }

  static CommandException unknownAttempt(TableName table, String attempt) {
    return new CommandException(
        ExitCode.REFUSED,
        "table "
            + table
            + ": it has no attempt "
            + attempt
            + "; none of its sources made it; look for its name with: ./sluice why "
            + table
            + " --json",
        null);
  }

  static CommandException severalLakes(TableName table, List<String> lakes) {
    return new CommandException(
        ExitCode.USAGE,
        "table "
            + table
            + ": several lakes have a table of that name: "
            + String.join(", ", lakes)
            + "; choose one with --lake",
        null);
  }

  static CommandException badMember(String text) {
    return new CommandException(
        ExitCode.USAGE,
        "member " + text + ": cannot be read; required: SOURCE=FOLDER, each of them once",
        null);
  }

  static CommandException orderOfNoMember(String source) {
    return new CommandException(
        ExitCode.USAGE,
        "order of " + source + ": it is no member of the set; name it with --member as well",
        null);
  }

  static CommandException setRuns(String workflowId, Throwable cause) {
    return new CommandException(
        ExitCode.CONFLICT,
        "workflow "
            + workflowId
            + ": a set of that name runs already; wait for its end, or name it"
            + " otherwise with --name",
        cause);
  }

  static CommandException rollbackRuns(String workflowId, Throwable cause) {
    return new CommandException(
        ExitCode.CONFLICT,
        "workflow "
            + workflowId
            + ": a rollback of the table's source runs already; wait for its end, then ask again",
        cause);
  }

  /** The words of a workflow that ended with a failure, or that it ended without any. */
  static CommandException ended(String workflowId, Throwable cause) {
    for (Throwable at = cause; at != null; at = at.getCause()) {
      if (at instanceof ApplicationFailure failure) {
        return new CommandException(
            ExitCodes.of(cause), String.valueOf(failure.getOriginalMessage()), cause);
      }
    }
    return workflowFailed(workflowId, cause);
  }

  static CommandException unpublished(int failed, int all) {
    return new CommandException(
        ExitCode.FAILED,
        failed + " of " + all + " tables were not published; the reasons are above",
        null);
  }

  static CommandException interrupted(String workflowId, InterruptedException cause) {
    return new CommandException(
        ExitCode.OUTCOME_UNKNOWN,
        "workflow " + workflowId + ": no longer followed; it goes on, look with: ./sluice jobs",
        cause);
  }

  static CommandException workflowFailed(String workflowId, Throwable cause) {
    Throwable deepest = cause;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return new CommandException(
        ExitCodes.of(cause),
        "workflow "
            + workflowId
            + ": ended without an outcome: "
            + deepest.getMessage()
            + "; look at its history in Temporal",
        cause);
  }

  static CommandException temporalAway(String workflowId, Throwable cause) {
    return new CommandException(
        ExitCode.FAILED,
        "workflow "
            + workflowId
            + ": the trigger was not delivered; Temporal does not answer: "
            + cause.getMessage()
            + "; nothing was begun, repeat the command once Temporal can be reached",
        cause);
  }

  static CommandException unknownSource(String name, Collection<String> known) {
    return new CommandException(
        ExitCode.REFUSED,
        "source "
            + name
            + ": refused; the configuration has no source of that name; it has "
            + String.join(", ", known)
            + "; use one of these, or add it to the section sources",
        null);
  }

  static CommandException notDelivered(String workflowId) {
    return new CommandException(
        ExitCode.FAILED,
        "workflow "
            + workflowId
            + ": the trigger was not delivered; the workflow ended between start and signal again"
            + " and again; repeat the command",
        null);
  }
}
