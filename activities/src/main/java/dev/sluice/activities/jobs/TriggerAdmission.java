package dev.sluice.activities.jobs;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.TriggerRules;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Whether a trigger may be taken at all: its form, then what is provisioned. Stateless. */
final class TriggerAdmission {
  /** How far a producer's clock may be ahead of the home database's. */
  static final Duration CLOCK_ROOM = Duration.ofDays(1);

  private static final Pattern FOLDER = Pattern.compile("(.*)__query_[0-9]+(?:_[0-9a-fA-F]{8})?");

  private TriggerAdmission() {}

  /** Says why it may not be taken, with the remedy; empty when it may. */
  static Optional<String> refusal(DSLContext dsl, RegisterTrigger trigger) {
    return TriggerRules.problem(trigger).or(() -> unprovisioned(dsl, trigger));
  }

  /** Makes a text fit for a column: no control characters, at most so long. */
  static String fit(String text, int longest) {
    StringBuilder fit = new StringBuilder();
    text.codePoints()
        .map(
            c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? '?' : c)
        .limit(longest)
        .forEach(fit::appendCodePoint);
    return fit.toString();
  }

  private static Optional<String> unprovisioned(DSLContext dsl, RegisterTrigger trigger) {
    Record known =
        dsl.fetchSingle(
            """
            SELECT now() AS now, team.id IS NOT NULL AS team_known,
              source.team IS NOT NULL AS source_known, source.kind, source.source_type, source.prefix,
              source.source_table
            FROM (SELECT CAST(? AS bigint) AS team, CAST(? AS varchar) AS schema_id) AS asked
              LEFT JOIN sluice.team AS team ON team.id = asked.team
              LEFT JOIN sluice.source AS source
                ON source.team = asked.team AND source.schema_id = asked.schema_id
            """,
            trigger.team(),
            trigger.sourceSchemaId());
    if (!known.get("team_known", Boolean.class)) {
      return Optional.of(StateErrors.unknownTeam(trigger));
    }
    if (trigger.path() == WorkflowPath.MODEL) {
      return model(trigger, known.get("kind", String.class))
          .or(() -> fromTheFuture(trigger, known.get("now", Instant.class)));
    }
    if (!known.get("source_known", Boolean.class)) {
      return Optional.of(StateErrors.unknownSource(trigger));
    }
    String wanted =
        name(
            trigger.sourceType(),
            trigger.prefix() == null ? "" : trigger.prefix(),
            trigger.table());
    String provisioned =
        name(
            known.get("source_type", String.class),
            known.get("prefix", String.class),
            known.get("source_table", String.class));
    if (!wanted.equals(provisioned)) {
      return Optional.of(StateErrors.otherSource(trigger, wanted, provisioned));
    }
    Matcher folder = FOLDER.matcher(trigger.preparedFolder());
    if (folder.matches() && !folder.group(1).equals(trigger.table())) {
      return Optional.of(StateErrors.otherSourcesFolder(trigger, folder.group(1)));
    }
    return fromTheFuture(trigger, known.get("now", Instant.class));
  }

  /** A model becomes known with its first trigger; its label may change. */
  private static Optional<String> model(RegisterTrigger trigger, @Nullable String kind) {
    return kind == null || kind.equals(Provisioning.SourceKind.MODEL.word())
        ? Optional.empty()
        : Optional.of(StateErrors.otherSource(trigger, "a model", "an imported table"));
  }

  private static String name(String type, String prefix, String table) {
    return prefix.isEmpty() ? type + " " + table : type + " " + prefix + " " + table;
  }

  /** An order ahead of time would make every later generation stale until time catches up. */
  private static Optional<String> fromTheFuture(RegisterTrigger trigger, Instant now) {
    ProducerOrder order = trigger.order();
    Instant latest = now.plus(CLOCK_ROOM);
    boolean ahead =
        switch (order.kind()) {
          case DELTA_VERSION -> false;
          case FOLDER_EPOCH -> order.value() > latest.getEpochSecond();
          case IMPORT_FINISHED -> order.value() > ChronoUnit.MICROS.between(Instant.EPOCH, latest);
        };
    return ahead ? Optional.of(StateErrors.orderAheadOfTime(trigger, now)) : Optional.empty();
  }
}
