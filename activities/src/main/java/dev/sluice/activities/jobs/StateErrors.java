package dev.sluice.activities.jobs;

import dev.sluice.activities.jobs.StateException.Kind;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.naming.ProducerOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes every user-visible error of this package: context: problem; reason; remedy. */
final class StateErrors {
  private StateErrors() {}

  static StateException nameTaken(Target target, SourceRef owner, SourceRef claimant) {
    return new StateException(
        Kind.NAME_TAKEN,
        target
            + ": the name belongs to another source; it was assigned to "
            + owner
            + " and is now claimed by "
            + claimant
            + "; give one of the two another prefix or table name",
        null);
  }

  static StateException sourceHasOtherName(SourceRef source, Target assigned, Target wanted) {
    return new StateException(
        Kind.NAME_TAKEN,
        source
            + ": the source already has a table; it is "
            + assigned.schema()
            + "."
            + assigned.table()
            + " in lake "
            + assigned.lake()
            + ", wanted is "
            + wanted.schema()
            + "."
            + wanted.table()
            + " in lake "
            + wanted.lake()
            + "; restore the former prefix, table name, naming version and lake, or configure a new"
            + " source",
        null);
  }

  static StateException settingFixed(Provisioning.Team stored, Provisioning.Team wanted) {
    String key = "teams." + stored.id() + ".";
    List<String> differences = new ArrayList<>();
    List<String> remedies = new ArrayList<>();
    note(differences, remedies, key + "lake", stored.lake(), wanted.lake());
    note(differences, remedies, key + "naming", stored.namingVersion(), wanted.namingVersion());
    note(
        differences,
        remedies,
        key + "imports-schema",
        stored.importsSchema(),
        wanted.importsSchema());
    note(
        differences,
        remedies,
        key + "modeling-schema",
        stored.modelingSchema(),
        wanted.modelingSchema());
    String rename =
        stored.namingVersion().equals(wanted.namingVersion())
            ? ""
            : ", or rename the team's tables: ./sluice rename-tables --team "
                + stored.id()
                + " --to-policy "
                + wanted.namingVersion();
    return new StateException(
        Kind.FIXED_SETTING,
        "team "
            + stored.id()
            + ": the configuration is not what its tables were written under; "
            + String.join(", ", differences)
            + "; set "
            + String.join(" and ", remedies)
            + rename,
        null);
  }

  private static void note(
      List<String> differences, List<String> remedies, String key, String stored, String wanted) {
    if (!stored.equals(wanted)) {
      differences.add(key + " is " + wanted + " and was " + stored);
      remedies.add(key + ": " + stored);
    }
  }

  static StateException renaming(TableRename rename) {
    return new StateException(
        Kind.UNAVAILABLE,
        "team "
            + rename.team()
            + ": its tables are being renamed to the names of "
            + rename.toPolicy()
            + " since "
            + rename.begunAt()
            + "; nothing is begun under either name until that is done; the call is tried again, and"
            + " a rename that was left behind is finished by: ./sluice rename-tables --team "
            + rename.team()
            + " --apply",
        null);
  }

  static StateException renamedMeanwhile(long team, String policy) {
    return new StateException(
        Kind.UNAVAILABLE,
        "team "
            + team
            + ": its tables were renamed just now; they have the names of "
            + policy
            + "; the call is tried again and uses them",
        null);
  }

  static StateException nameReserved(Target target, TableRename rename) {
    return new StateException(
        Kind.NAME_TAKEN,
        target
            + ": the name is about to belong to another source; the tables of team "
            + rename.team()
            + " are being renamed to the names of "
            + rename.toPolicy()
            + "; give the source another prefix or table name",
        null);
  }

  static StateException namesMoved(long team) {
    return new StateException(
        Kind.IN_USE,
        "team "
            + team
            + ": nothing was renamed; its tables or its naming policy changed since the plan was made;"
            + " look at a new plan, then apply it",
        null);
  }

  static StateException attemptsRun(long team, List<String> attempts) {
    return new StateException(
        Kind.IN_USE,
        "team "
            + team
            + ": nothing was renamed; generations are being brought in: "
            + String.join(", ", attempts)
            + "; wait for their end (./sluice jobs), or hold the tables first: ./sluice pause TABLE",
        null);
  }

  static StateException teamNotProvisioned(long team) {
    return new StateException(
        Kind.NOT_PROVISIONED,
        "team "
            + team
            + ": not provisioned; the home database has no such team; add it to the configuration's"
            + " section teams and restart the worker",
        null);
  }

  static StateException lakeNotProvisioned(String lake) {
    return new StateException(
        Kind.NOT_PROVISIONED,
        "lake "
            + lake
            + ": not provisioned; the home database has no such lake; add it to the configuration's"
            + " section lakes and restart the worker",
        null);
  }

  static StateException fenced(
      Target target, AttemptRef attempt, @Nullable String holder, @Nullable String reason) {
    return new StateException(
        Kind.ATTEMPT_FENCED,
        target
            + ": attempt "
            + attempt.key()
            + " may not go on; the fence is held by "
            + (holder == null ? "nobody" : "attempt " + holder)
            + (reason == null ? "" : " (" + reason + ")")
            + "; nothing needs to be done, a new trigger starts a new attempt",
        null);
  }

  static StateException notVerified(String landing, String state) {
    return new StateException(
        Kind.ATTEMPT_FENCED,
        "landing "
            + landing
            + ": cannot be published; it is "
            + state
            + " and not verified any more, because another activity changed it; trigger the"
            + " generation again",
        null);
  }

  static StateException stale(
      Target target,
      ProducerOrder order,
      ProducerOrder published,
      @Nullable String publishedGeneration) {
    return new StateException(
        Kind.STALE_GENERATION,
        target
            + ": the generation is not newer than what was published; its order is "
            + order
            + ", published is "
            + published
            + (publishedGeneration == null ? "" : " (generation " + publishedGeneration + ")")
            + "; nothing needs to be done",
        null);
  }

  static StateException orderKind(String context, ProducerOrder order, String expectedKind) {
    return new StateException(
        Kind.ORDER_KIND, context + ": " + orderKindReason(order, expectedKind), null);
  }

  static String orderKindReason(ProducerOrder order, String expectedKind) {
    return "the generation cannot be put in order; earlier ones were ordered by "
        + expectedKind
        + ", this one has "
        + order
        + "; keep to one kind of order per source (one that is to change between registering and"
        + " copying needs orders of kind import_finished on both paths, from its first generation"
        + " on)";
  }

  static String unknownTeam(RegisterTrigger trigger) {
    return refused(trigger)
        + "the home database knows no team "
        + trigger.team()
        + "; add the team to the configuration's section teams and restart the worker";
  }

  static String unknownSource(RegisterTrigger trigger) {
    return refused(trigger)
        + "the team has no such source; add it to the configuration's section sources and restart"
        + " the worker";
  }

  static String otherSource(RegisterTrigger trigger, String wanted, String provisioned) {
    return refused(trigger)
        + "it is of "
        + wanted
        + ", the source is "
        + provisioned
        + "; send the trigger of the source's own import, or correct the source in the"
        + " configuration";
  }

  static String otherSourcesFolder(RegisterTrigger trigger, String table) {
    return refused(trigger)
        + "its folder "
        + trigger.preparedFolder()
        + " is a generation of table "
        + table
        + ", the source's table is "
        + trigger.table()
        + "; pass a folder of the source's own";
  }

  static String orderAheadOfTime(RegisterTrigger trigger, Instant now) {
    return refused(trigger)
        + "its order "
        + trigger.order()
        + " lies in the future, now is "
        + now
        + "; nothing that follows would be newer; correct the producer's clock";
  }

  private static String refused(RegisterTrigger trigger) {
    return "trigger of team "
        + trigger.team()
        + ", source "
        + trigger.sourceSchemaId()
        + ": refused; ";
  }

  static StateException unknownAttempt(AttemptKey key) {
    return new StateException(
        Kind.UNKNOWN_ATTEMPT,
        key + ": no such attempt; it was never opened; open it before anything else",
        null);
  }

  static StateException notMigrated(String database, String reason) {
    return new StateException(
        Kind.NOT_MIGRATED,
        database + ": the database is not ready; " + reason + "; run ./sluice migrate",
        null);
  }

  static StateException newerThanThis(String database, int found, int known) {
    return new StateException(
        Kind.NOT_MIGRATED,
        database
            + ": the database is of a newer Sluice; its state has version "
            + found
            + ", this program knows version "
            + known
            + "; use the program that migrated it, or a newer one",
        null);
  }

  static StateException migrationFailed(String database, Throwable cause) {
    return new StateException(
        Kind.NOT_MIGRATED,
        database
            + ": the migration failed; "
            + firstLine(cause)
            + "; mend what the reason names, then run ./sluice migrate again over a direct"
            + " connection (not through a pooler)",
        cause);
  }

  static StateException landingCleaned(String landing) {
    return new StateException(
        Kind.UNAVAILABLE,
        "landing "
            + landing
            + ": nothing can be landed there; a clean-up of old landings has just begun to remove"
            + " its objects; the call is tried again and chooses another place",
        null);
  }

  static StateException unavailable(String database, Throwable cause) {
    return new StateException(
        Kind.UNAVAILABLE,
        database
            + ": the database cannot be used now; "
            + firstLine(cause)
            + "; check that it runs and can be reached, the call is tried again",
        cause);
  }

  private static String firstLine(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = root.getMessage();
    if (message == null || message.isBlank()) {
      return root.getClass().getSimpleName();
    }
    return message.lines().findFirst().orElse(message).strip();
  }
}
