package dev.sluice.activities.jobs;

import dev.sluice.activities.jobs.StateException.Kind;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.naming.ProducerOrder;
import java.time.Instant;
import java.util.Locale;
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
            + state.toLowerCase(Locale.ROOT)
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
        + "; keep to one kind of order per source";
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
