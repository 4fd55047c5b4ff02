package dev.sluice.activities.jobs;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * The landings of a lake: what was begun for which generation, and how far each is. Their files are
 * in {@link LandingFiles}. Stateless; every method works in the caller's transaction, or commits by
 * itself on a plain context.
 */
public final class LandingLedger {
  /** Finds the rows of one landing: the lake's key, then the landing's id. */
  static final String LANDING = "lake = ? AND landing_id = ?";

  private LandingLedger() {}

  /**
   * Names a generation's file list.
   *
   * @param lake the lake's key
   * @param landingId stable for team, source, job and generation; shared by all attempts
   */
  public record Key(String lake, String landingId) {}

  /**
   * A generation on its way into a lake.
   *
   * @param key names it
   * @param source the source
   * @param generation the generation's token
   * @param target the table it is for; its lake is the lake's key
   * @param state how far it is
   * @param reason why it is quarantined; null unless it is
   * @param content text of whoever inspected it: what all files share; null before that
   */
  public record Landing(
      Key key,
      SourceRef source,
      String generation,
      Target target,
      LandingState state,
      @Nullable String reason,
      @Nullable String content) {}

  /** How far a generation is. */
  public enum LandingState {
    /** Its files are known. */
    LISTED,
    /** All its files lie complete in the lake's store. */
    LANDED,
    /** The footers of all its files were read. */
    INSPECTED,
    /** Its checks passed. */
    VERIFIED,
    /** A check failed: its files are kept apart until the clean-up takes them. */
    QUARANTINED,
    /** Its files are the lake's; the ledger's rows are history. */
    PUBLISHED,
    /**
     * Its objects were removed, or are being removed: nothing is landed or published there again.
     */
    CLEANED;

    /** Returns the state as it is stored, in lower case. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Opens a landing, or opens it again; a published one stays published. What is known about its
   * files stays, but after a quarantine all of them have to be landed anew.
   *
   * @throws StateException of kind {@code UNAVAILABLE} when a clean-up has begun to remove its
   *     objects since the caller chose it
   */
  public static void open(
      DSLContext dsl, Key key, SourceRef source, String generation, Target target) {
    dsl.execute(
        """
        UPDATE sluice.landing_file AS f SET state = 'listed', reused_path = NULL,
          record_count = NULL, footer_size = NULL, column_stats = NULL, landed_bytes = NULL,
          deleted_rows = NULL, landed_facts = NULL
        FROM sluice.landing AS l
        WHERE f.lake = ? AND f.landing_id = ? AND l.lake = f.lake AND l.landing_id = f.landing_id
          AND l.state = 'quarantined'
        """,
        key.lake(),
        key.landingId());
    Record opened =
        dsl.fetchSingle(
            """
        INSERT INTO sluice.landing AS landing (lake, landing_id, team, source_schema_id, generation,
          schema_name, table_name, state, listed_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, 'listed', now(), now())
        ON CONFLICT (lake, landing_id) DO UPDATE SET schema_name = excluded.schema_name,
          table_name = excluded.table_name, updated_at = now(),
          state = CASE WHEN landing.state IN ('published', 'cleaned') THEN landing.state
            ELSE 'listed' END,
          reason = CASE landing.state WHEN 'cleaned' THEN landing.reason END
        RETURNING state
        """,
            key.lake(),
            key.landingId(),
            source.team(),
            source.schemaId(),
            generation,
            target.schema(),
            target.table());
    if (LandingState.CLEANED.word().equals(opened.get("state", String.class))) {
      throw StateErrors.landingCleaned(key.landingId());
    }
  }

  /**
   * Notes how far the generation is; a published one stays published, and a verified one does not
   * fall back to an earlier state because an activity is late.
   */
  public static void advance(DSLContext dsl, Key key, LandingState state) {
    dsl.execute(
        "UPDATE sluice.landing SET state = ?, reason = NULL, updated_at = now() WHERE "
            + LANDING
            + " AND state NOT IN ('published', 'cleaned')"
            + switch (state) {
              case LISTED, LANDED, INSPECTED -> " AND state <> 'verified'";
              case VERIFIED, QUARANTINED, PUBLISHED, CLEANED -> "";
            },
        state.word(),
        key.lake(),
        key.landingId());
  }

  /** Keeps a generation's files apart because a check failed; a published one stays published. */
  public static void quarantine(DSLContext dsl, Key key, String reason) {
    dsl.execute(
        "UPDATE sluice.landing SET state = 'quarantined', reason = ?, updated_at = now() WHERE "
            + LANDING
            + " AND state NOT IN ('published', 'cleaned')",
        ErrorText.withoutKnownSecrets().clean(reason),
        key.lake(),
        key.landingId());
  }

  /**
   * Takes an unpublished landing away for good, so that its objects can be removed: it is not
   * opened or published any more. What was taken before counts as taken. In one transaction with
   * whatever else the decision needs.
   *
   * @param idleSince only when nothing happened to it since then
   * @param reason what is kept about it
   * @return whether it may be removed
   */
  public static boolean clean(DSLContext dsl, Key key, Instant idleSince, String reason) {
    return dsl.execute(
            "UPDATE sluice.landing SET reason = CASE state WHEN 'cleaned' THEN reason ELSE ? END,"
                + " state = 'cleaned', updated_at = CASE state WHEN 'cleaned' THEN updated_at"
                + " ELSE now() END WHERE "
                + LANDING
                + " AND state <> 'published' AND (updated_at < CAST(? AS timestamptz) OR state = 'cleaned')",
            reason,
            key.lake(),
            key.landingId(),
            idleSince.atOffset(ZoneOffset.UTC))
        > 0;
  }

  /** Whether anything happened to a landing at that time or later; false where there is none. */
  public static boolean touchedSince(DSLContext dsl, Key key, Instant time) {
    return dsl.fetchOptional(
            "SELECT 1 FROM sluice.landing WHERE "
                + LANDING
                + " AND updated_at >= CAST(? AS timestamptz)",
            key.lake(),
            key.landingId(),
            time.atOffset(ZoneOffset.UTC))
        .isPresent();
  }

  /**
   * Takes away a landing that the ledger does not know, as {@link #clean} does with a known one.
   *
   * @return false when the ledger knows it by now
   */
  public static boolean cleanUnknown(DSLContext dsl, Landing landing) {
    return dsl.execute(
            """
            INSERT INTO sluice.landing (lake, landing_id, team, source_schema_id, generation,
              schema_name, table_name, state, reason, listed_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, 'cleaned', ?, now(), now())
            ON CONFLICT (lake, landing_id) DO NOTHING
            """,
            landing.key().lake(),
            landing.key().landingId(),
            landing.source().team(),
            landing.source().schemaId(),
            landing.generation(),
            landing.target().schema(),
            landing.target().table(),
            landing.reason())
        > 0;
  }

  /** The tables of a lake that anything was ever to be landed for. */
  public static List<Target> targets(DSLContext dsl, String lake) {
    return dsl.fetch(
            "SELECT schema_name, table_name FROM sluice.fence WHERE lake = ?"
                + " UNION SELECT schema_name, table_name FROM sluice.landing WHERE lake = ?"
                + " ORDER BY 1, 2",
            lake,
            lake)
        .map(
            row ->
                new Target(
                    lake,
                    row.get("schema_name", String.class),
                    row.get("table_name", String.class)));
  }

  /** Keeps what is known of a landing's files together before they are landed. */
  public static void plan(DSLContext dsl, Key key, String plan) {
    dsl.execute(
        "UPDATE sluice.landing SET plan = ? WHERE " + LANDING, plan, key.lake(), key.landingId());
  }

  /** Finds what {@link #plan} kept; empty where files are landed as they are listed. */
  public static Optional<String> findPlan(DSLContext dsl, Key key) {
    return dsl.fetchOptional(
            "SELECT plan FROM sluice.landing WHERE " + LANDING, key.lake(), key.landingId())
        .flatMap(row -> Optional.ofNullable(row.get("plan", String.class)));
  }

  /** Finds a landing. */
  public static Optional<Landing> find(DSLContext dsl, Key key) {
    return dsl.fetchOptional(
            "SELECT * FROM sluice.landing WHERE " + LANDING, key.lake(), key.landingId())
        .map(
            row ->
                new Landing(
                    key,
                    new SourceRef(
                        row.get("team", Long.class), row.get("source_schema_id", String.class)),
                    row.get("generation", String.class),
                    new Target(
                        key.lake(),
                        row.get("schema_name", String.class),
                        row.get("table_name", String.class)),
                    LandingState.valueOf(row.get("state", String.class).toUpperCase(Locale.ROOT)),
                    row.get("reason", String.class),
                    row.get("content", String.class)));
  }

  /** Finds the newest landing by which a generation of a source was published to a target. */
  public static Optional<Key> findPublished(
      DSLContext dsl, Target target, SourceRef source, String generation) {
    return dsl.fetchOptional(
            """
            SELECT landing_id FROM sluice.landing
            WHERE lake = ? AND schema_name = ? AND table_name = ? AND team = ?
              AND source_schema_id = ? AND generation = ? AND state = 'published'
            ORDER BY updated_at DESC LIMIT 1
            """,
            target.lake(),
            target.schema(),
            target.table(),
            source.team(),
            source.schemaId(),
            generation)
        .map(row -> new Key(target.lake(), row.get("landing_id", String.class)));
  }
}
