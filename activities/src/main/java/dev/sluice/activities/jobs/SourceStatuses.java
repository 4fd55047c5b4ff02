package dev.sluice.activities.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads how sources stand. Thread-safe. */
public final class SourceStatuses {
  private static final Logger log = LoggerFactory.getLogger(SourceStatuses.class);

  private final StateDatabase home;
  private final SourceJobEvents events;
  private final TriggerStore triggers;

  /** Makes the reader. */
  public SourceStatuses(StateDatabase home, SourceJobEvents events, TriggerStore triggers) {
    this.home = Objects.requireNonNull(home, "home");
    this.events = Objects.requireNonNull(events, "events");
    this.triggers = Objects.requireNonNull(triggers, "triggers");
  }

  /**
   * Reads one source. Never raises: what cannot be read is {@link Readiness#UNKNOWN} with the
   * reason, and what nobody knows is {@link Readiness#NOT_CONFIGURED}.
   */
  public SourceStatus of(SourceRef source) {
    try {
      return home.read(
              dsl ->
                  dsl.fetchOptional(
                          "SELECT * FROM sluice.source_status WHERE team = ? AND schema_id = ?",
                          source.team(),
                          source.schemaId())
                      .map(row -> status(dsl, row)))
          .orElseGet(
              () ->
                  bare(
                      source,
                      Readiness.NOT_CONFIGURED,
                      "no such source is configured, and none was ever triggered"));
    } catch (RuntimeException e) {
      // The contract: a status read never raises, whatever the home database's state.
      log.warn("status of {} cannot be read", source, e);
      return bare(
          source,
          Readiness.UNKNOWN,
          "the status cannot be read: "
              + ErrorText.withoutKnownSecrets().clean(String.valueOf(e.getMessage())));
    }
  }

  /**
   * Reads every known source, by team and id.
   *
   * @throws StateException of kind {@code UNAVAILABLE}
   */
  public List<SourceStatus> all() {
    return home.read(
        dsl -> {
          List<SourceStatus> statuses = new ArrayList<>();
          for (Record row :
              dsl.fetch("SELECT * FROM sluice.source_status ORDER BY team, schema_id")) {
            statuses.add(status(dsl, row));
          }
          return statuses;
        });
  }

  /**
   * Reads the sources that publish, or have published, to a table name in any lake.
   *
   * @throws StateException of kind {@code UNAVAILABLE}
   */
  public List<SourceStatus> ofTable(String schema, String table) {
    return home.read(
        dsl ->
            dsl.fetch(
                    """
                    SELECT * FROM sluice.source_status WHERE schema_name = ? AND table_name = ?
                    ORDER BY lake, team, schema_id
                    """,
                    schema,
                    table)
                .map(row -> status(dsl, row)));
  }

  private SourceStatus status(DSLContext dsl, Record row) {
    SourceRef source =
        new SourceRef(row.get("team", Long.class), row.get("schema_id", String.class));
    Readiness readiness = Readiness.ofWord(row.get("readiness", String.class));
    Optional<SourceJob> latest = SourceJobs.findById(dsl, row.get("latest_id", UUID.class));
    Optional<SourceJob> completed = SourceJobs.findById(dsl, row.get("completed_id", UUID.class));
    Optional<StoredTrigger> pending = triggers.findPending(source);
    Optional<SourceEvent> lastEvent = events.newest(source, 1).stream().findFirst();
    return new SourceStatus(
        source,
        readiness,
        StatusSentence.of(
            latest,
            Boolean.TRUE.equals(row.get("latest_unattended", Boolean.class)),
            pending,
            lastEvent),
        target(row),
        latest.orElse(null),
        completed.orElse(null),
        pending.orElse(null),
        lastEvent.orElse(null));
  }

  private static @Nullable Target target(Record row) {
    String lake = row.get("lake", String.class);
    String schema = row.get("schema_name", String.class);
    String table = row.get("table_name", String.class);
    return lake == null || schema == null || table == null ? null : new Target(lake, schema, table);
  }

  private static SourceStatus bare(SourceRef source, Readiness readiness, String why) {
    return new SourceStatus(source, readiness, why, null, null, null, null, null);
  }
}
