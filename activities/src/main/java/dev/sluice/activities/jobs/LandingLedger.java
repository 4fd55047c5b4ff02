package dev.sluice.activities.jobs;

import dev.sluice.activities.jobs.LedgerFile.FileState;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of landed files: a generation's file list with how far each is, so that a new attempt
 * goes on where the last one stopped. Lists travel in one statement as arrays; 24,000 files are one
 * insert. Stateless; every method works in the caller's transaction, or commits by itself on a
 * plain context.
 */
public final class LandingLedger {
  private static final String LANDING = "lake = ? AND landing_id = ?";

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
   * Counts of a generation.
   *
   * @param files files listed
   * @param landed files landed, inspected ones included
   * @param inspected files inspected
   * @param bytes size of the listed files
   * @param landedBytes size of the landed files
   * @param rows rows of the inspected files
   */
  public record Totals(
      long files, long landed, long inspected, long bytes, long landedBytes, long rows) {}

  /**
   * Facts of an inspected file.
   *
   * @param sourceKey names the file
   * @param recordCount rows by its footer
   * @param footerSize footer length in bytes
   * @param facts partition values and statistics, text of the inspector
   */
  public record Inspected(String sourceKey, long recordCount, long footerSize, String facts) {}

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
          record_count = NULL, footer_size = NULL, column_stats = NULL
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
   * Makes these the files of the landing. A file that is known and unchanged keeps how far it is;
   * it is unchanged when size, landed path and checksum are equal, or, where either checksum is
   * missing, size, landed path and time of change. Files no longer listed leave the ledger.
   */
  public static void list(DSLContext dsl, Key key, Collection<LedgerFile> files) {
    List<LedgerFile> all = List.copyOf(files);
    dsl.execute(
        """
        DELETE FROM sluice.landing_file
        WHERE lake = {0} AND landing_id = {1} AND source_key <> ALL ({2})
        """,
        DSL.val(key.lake()), DSL.val(key.landingId()), texts(all, LedgerFile::sourceKey));
    if (all.isEmpty()) {
      return;
    }
    dsl.execute(
        """
        INSERT INTO sluice.landing_file AS known (lake, landing_id, source_key, size_bytes,
          checksum, modified_at, landed_path, state)
        SELECT {0}, {1}, source_key, size_bytes, checksum, modified_at, landed_path, 'listed'
        FROM unnest({2}, {3}, {4}, {5}, {6})
          AS f (source_key, size_bytes, checksum, modified_at, landed_path)
        ON CONFLICT (lake, landing_id, source_key) DO UPDATE SET
          size_bytes = excluded.size_bytes, checksum = excluded.checksum,
          modified_at = excluded.modified_at, landed_path = excluded.landed_path,
          reused_path = NULL, state = 'listed', record_count = NULL, footer_size = NULL,
          column_stats = NULL
        WHERE NOT (known.size_bytes = excluded.size_bytes
          AND known.landed_path = excluded.landed_path
          AND CASE WHEN known.checksum IS NOT NULL AND excluded.checksum IS NOT NULL
            THEN known.checksum = excluded.checksum
            ELSE known.modified_at IS NOT DISTINCT FROM excluded.modified_at END)
        """,
        DSL.val(key.lake()),
        DSL.val(key.landingId()),
        texts(all, LedgerFile::sourceKey),
        numbers(all, LedgerFile::sizeBytes),
        texts(all, LedgerFile::checksum),
        times(all, LedgerFile::modifiedAt),
        texts(all, LedgerFile::landedPath));
  }

  /**
   * Notes that the files lie complete at their landed paths, also where a live object was to be
   * used instead. Files that were inspected stay so: the content is the same.
   */
  public static void landed(DSLContext dsl, Key key, Collection<String> sourceKeys) {
    if (sourceKeys.isEmpty()) {
      return;
    }
    dsl.execute(
        """
        UPDATE sluice.landing_file SET reused_path = NULL,
          state = CASE state WHEN 'listed' THEN 'landed' ELSE state END
        WHERE lake = {0} AND landing_id = {1} AND (state = 'listed' OR reused_path IS NOT NULL)
          AND source_key = ANY ({2})
        """,
        DSL.val(key.lake()),
        DSL.val(key.landingId()),
        texts(List.copyOf(sourceKeys), sourceKey -> sourceKey));
  }

  /**
   * Notes that live objects of the table have the content of these files, so that those need no
   * copy.
   *
   * @param objects key of the live object by source key
   */
  public static void reused(DSLContext dsl, Key key, Map<String, String> objects) {
    if (objects.isEmpty()) {
      return;
    }
    List<Map.Entry<String, String>> all = List.copyOf(objects.entrySet());
    dsl.execute(
        """
        UPDATE sluice.landing_file AS known SET state = 'landed', reused_path = f.object
        FROM unnest({2}, {3}) AS f (source_key, object)
        WHERE known.lake = {0} AND known.landing_id = {1} AND known.source_key = f.source_key
          AND known.state = 'listed'
        """,
        DSL.val(key.lake()),
        DSL.val(key.landingId()),
        texts(all, Map.Entry::getKey),
        texts(all, Map.Entry::getValue));
  }

  /**
   * Notes what the footers say.
   *
   * @param content what all files share, text of the inspector
   * @return how many of the files the ledger has
   */
  public static int inspected(
      DSLContext dsl, Key key, String content, Collection<Inspected> files) {
    dsl.execute(
        "UPDATE sluice.landing SET content = ?, updated_at = now() WHERE " + LANDING,
        content,
        key.lake(),
        key.landingId());
    if (files.isEmpty()) {
      return 0;
    }
    List<Inspected> all = List.copyOf(files);
    return update(dsl, key, all);
  }

  private static int update(DSLContext dsl, Key key, List<Inspected> all) {
    return dsl.execute(
        """
        UPDATE sluice.landing_file AS known SET state = 'inspected',
          record_count = f.record_count, footer_size = f.footer_size, column_stats = f.facts
        FROM unnest({2}, {3}, {4}, {5}) AS f (source_key, record_count, footer_size, facts)
        WHERE known.lake = {0} AND known.landing_id = {1} AND known.source_key = f.source_key
        """,
        DSL.val(key.lake()),
        DSL.val(key.landingId()),
        texts(all, Inspected::sourceKey),
        numbers(all, Inspected::recordCount),
        numbers(all, Inspected::footerSize),
        texts(all, Inspected::facts));
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

  /**
   * Notes, in the publishing transaction, that the files are the lake's now.
   *
   * @throws StateException of kind {@code ATTEMPT_FENCED} unless the landing is verified: whatever
   *     changed it since the attempt saw it verified, nothing unverified is published
   */
  public static void publish(DSLContext dsl, Key key) {
    int verified =
        dsl.execute(
            "UPDATE sluice.landing SET state = 'published', reason = NULL, updated_at = now() WHERE "
                + LANDING
                + " AND state = 'verified'",
            key.lake(),
            key.landingId());
    if (verified == 0) {
      throw StateErrors.notVerified(
          key.landingId(), find(dsl, key).map(landing -> landing.state().name()).orElse("unknown"));
    }
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

  /** All files of a landing, by source key. */
  public static List<LedgerFile> files(DSLContext dsl, Key key) {
    return dsl.fetch(
            "SELECT * FROM sluice.landing_file WHERE "
                + LANDING
                + " ORDER BY source_key COLLATE \"C\"",
            key.lake(),
            key.landingId())
        .map(LandingLedger::file);
  }

  /** The files that are exactly so far, by source key. */
  public static List<LedgerFile> files(DSLContext dsl, Key key, FileState state) {
    return dsl.fetch(
            "SELECT * FROM sluice.landing_file WHERE "
                + LANDING
                + " AND state = ? ORDER BY source_key COLLATE \"C\"",
            key.lake(),
            key.landingId(),
            word(state))
        .map(LandingLedger::file);
  }

  /**
   * A file of a published landing.
   *
   * @param landingId its landing
   * @param file the file
   */
  public record Published(String landingId, LedgerFile file) {}

  /** The files of every landing by which a generation was published to a table. */
  public static List<Published> published(DSLContext dsl, Target target, String generation) {
    return dsl.fetch(
            """
            SELECT f.* FROM sluice.landing AS l
            JOIN sluice.landing_file AS f ON f.lake = l.lake AND f.landing_id = l.landing_id
            WHERE l.lake = ? AND l.schema_name = ? AND l.table_name = ? AND l.generation = ?
              AND l.state = 'published'
            """,
            target.lake(),
            target.schema(),
            target.table(),
            generation)
        .map(row -> new Published(row.get("landing_id", String.class), file(row)));
  }

  /** Counts the files of a landing. */
  public static Totals totals(DSLContext dsl, Key key) {
    Record row =
        dsl.fetchSingle(
            """
            SELECT count(*) AS files,
              count(*) FILTER (WHERE state <> 'listed') AS landed,
              count(*) FILTER (WHERE state = 'inspected') AS inspected,
              coalesce(sum(size_bytes), 0) AS bytes,
              coalesce(sum(size_bytes) FILTER (WHERE state <> 'listed'), 0) AS landed_bytes,
              coalesce(sum(record_count), 0) AS row_count
            FROM sluice.landing_file WHERE lake = ? AND landing_id = ?
            """,
            key.lake(),
            key.landingId());
    return new Totals(
        row.get("files", Long.class),
        row.get("landed", Long.class),
        row.get("inspected", Long.class),
        row.get("bytes", Long.class),
        row.get("landed_bytes", Long.class),
        row.get("row_count", Long.class));
  }

  private static LedgerFile file(Record row) {
    return new LedgerFile(
        row.get("source_key", String.class),
        row.get("size_bytes", Long.class),
        row.get("checksum", String.class),
        row.get("modified_at", Instant.class),
        row.get("landed_path", String.class),
        row.get("reused_path", String.class),
        FileState.valueOf(row.get("state", String.class).toUpperCase(Locale.ROOT)),
        row.get("record_count", Long.class),
        row.get("footer_size", Long.class),
        row.get("column_stats", String.class));
  }

  private static String word(FileState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static <T> Param<?> texts(List<T> all, Function<T, @Nullable String> part) {
    return array(all, part, SQLDataType.CLOB, new String[0]);
  }

  private static <T> Param<?> numbers(List<T> all, Function<T, Long> part) {
    return array(all, part, SQLDataType.BIGINT, new Long[0]);
  }

  private static <T> Param<?> times(List<T> all, Function<T, @Nullable Instant> part) {
    return array(
        all,
        value -> {
          Instant time = part.apply(value);
          return time == null ? null : time.atOffset(ZoneOffset.UTC);
        },
        SQLDataType.TIMESTAMPWITHTIMEZONE,
        new OffsetDateTime[0]);
  }

  private static <T, V> Param<?> array(
      List<T> all, Function<T, @Nullable V> part, DataType<V> type, V[] empty) {
    List<@Nullable V> values = new ArrayList<>(all.size());
    for (T one : all) {
      values.add(part.apply(one));
    }
    return DSL.val(values.toArray(empty), type.array());
  }
}
