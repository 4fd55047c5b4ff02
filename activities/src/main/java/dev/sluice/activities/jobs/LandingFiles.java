package dev.sluice.activities.jobs;

import dev.sluice.activities.jobs.LedgerFile.FileState;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
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
public final class LandingFiles {

  private LandingFiles() {}

  /**
   * Counts of a generation.
   *
   * @param files files listed
   * @param landed files landed, inspected ones included
   * @param inspected files inspected
   * @param bytes size of the listed files
   * @param landedBytes size of the landed files
   * @param rows rows of the inspected files that are content
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
   * Makes these the files of the landing. A file that is known and unchanged keeps how far it is;
   * it is unchanged when size, landed path, plan and checksum are equal, or, where either checksum
   * is missing, size, landed path, plan and time of change. Files no longer listed leave the
   * ledger.
   */
  public static void list(DSLContext dsl, LandingLedger.Key key, Collection<LedgerFile> files) {
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
          checksum, modified_at, landed_path, plan, state)
        SELECT {0}, {1}, source_key, size_bytes, checksum, modified_at, landed_path, plan, 'listed'
        FROM unnest({2}, {3}, {4}, {5}, {6}, {7})
          AS f (source_key, size_bytes, checksum, modified_at, landed_path, plan)
        ON CONFLICT (lake, landing_id, source_key) DO UPDATE SET
          size_bytes = excluded.size_bytes, checksum = excluded.checksum,
          modified_at = excluded.modified_at, landed_path = excluded.landed_path,
          plan = excluded.plan, reused_path = NULL, state = 'listed', record_count = NULL,
          footer_size = NULL, column_stats = NULL, landed_bytes = NULL, deleted_rows = NULL,
          landed_facts = NULL, source_rows = NULL
        WHERE NOT (known.size_bytes = excluded.size_bytes
          AND known.landed_path = excluded.landed_path
          AND known.plan IS NOT DISTINCT FROM excluded.plan
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
        texts(all, LedgerFile::landedPath),
        texts(all, LedgerFile::plan));
  }

  /**
   * How a planned file landed.
   *
   * @param sourceKey names the file
   * @param reusedPath key of the live object that is used for it; null for one of its own
   * @param landedPath key of its own object where that is not the one it was listed with; null
   *     where it is
   * @param landed what landing made of it
   */
  public record Planned(
      String sourceKey,
      @Nullable String reusedPath,
      @Nullable String landedPath,
      LedgerFile.Landed landed) {

    /** A file that has no other object of its own than the one it was listed with. */
    public Planned(String sourceKey, @Nullable String reusedPath, LedgerFile.Landed landed) {
      this(sourceKey, reusedPath, null, landed);
    }
  }

  /**
   * Notes how planned files landed; their footers are to be read anew. A published landing stays as
   * it is, whatever a call that comes too late has made.
   */
  public static void landed(DSLContext dsl, LandingLedger.Key key, List<Planned> files) {
    note(
        dsl,
        key,
        files,
        ", state = 'landed', reused_path = f.object,"
            + " landed_path = coalesce(f.own, known.landed_path), record_count = NULL,"
            + " footer_size = NULL, column_stats = NULL",
        " AND NOT EXISTS (SELECT FROM sluice.landing WHERE lake = {0} AND landing_id = {1}"
            + " AND state = 'published')");
  }

  /** Changes what is known of how files landed, and nothing else of them. */
  public static void relanded(DSLContext dsl, LandingLedger.Key key, List<Planned> files) {
    note(dsl, key, files, "", "");
  }

  /**
   * Notes what landing made of files.
   *
   * @param more further assignments, each with a comma before it
   * @param only a further condition, with AND before it
   */
  private static void note(
      DSLContext dsl, LandingLedger.Key key, List<Planned> files, String more, String only) {
    if (files.isEmpty()) {
      return;
    }
    dsl.execute(
        """
        UPDATE sluice.landing_file AS known SET landed_bytes = f.bytes, deleted_rows = f.deleted,
          landed_facts = f.facts%s
        FROM unnest({2}, {3}, {4}, {5}, {6}, {7})
          AS f (source_key, object, own, bytes, deleted, facts)
        WHERE known.lake = {0} AND known.landing_id = {1} AND known.source_key = f.source_key%s
        """
            .formatted(more, only),
        DSL.val(key.lake()),
        DSL.val(key.landingId()),
        texts(files, Planned::sourceKey),
        texts(files, Planned::reusedPath),
        texts(files, Planned::landedPath),
        numbers(files, file -> file.landed().bytes()),
        numbers(files, file -> file.landed().deletedRows()),
        texts(files, file -> file.landed().facts()));
  }

  /**
   * Notes that the files lie complete at their landed paths, also where a live object was to be
   * used instead. Files that were inspected stay so: the content is the same.
   */
  public static void landed(DSLContext dsl, LandingLedger.Key key, Collection<String> sourceKeys) {
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
   * A file that was copied.
   *
   * @param sourceKey names the file
   * @param sourceRows rows by the source's footer, of the version that was listed; null when they
   *     are to be asked for later: the store tells no versions apart, or the footer was not read
   */
  public record Copied(String sourceKey, @Nullable Long sourceRows) {}

  /** As {@link #landed(DSLContext, LandingLedger.Key, Collection)}, with what the source says. */
  public static void copied(DSLContext dsl, LandingLedger.Key key, List<Copied> files) {
    dsl.execute(
        """
        UPDATE sluice.landing_file AS known SET reused_path = NULL,
          state = CASE known.state WHEN 'listed' THEN 'landed' ELSE known.state END,
          source_rows = coalesce(f.source_rows, known.source_rows)
        FROM unnest({2}, {3}) AS f (source_key, source_rows)
        WHERE known.lake = {0} AND known.landing_id = {1} AND known.source_key = f.source_key
          AND (known.state = 'listed' OR known.reused_path IS NOT NULL
            OR known.source_rows IS DISTINCT FROM coalesce(f.source_rows, known.source_rows))
        """,
        DSL.val(key.lake()),
        DSL.val(key.landingId()),
        texts(files, Copied::sourceKey),
        numbers(files, Copied::sourceRows));
  }

  /**
   * Notes that live objects of the table have the content of these files, so that those need no
   * copy.
   *
   * @param objects key of the live object by source key
   */
  public static void reused(DSLContext dsl, LandingLedger.Key key, Map<String, String> objects) {
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
      DSLContext dsl, LandingLedger.Key key, String content, Collection<Inspected> files) {
    dsl.execute(
        "UPDATE sluice.landing SET content = ?, updated_at = now() WHERE " + LandingLedger.LANDING,
        content,
        key.lake(),
        key.landingId());
    if (files.isEmpty()) {
      return 0;
    }
    List<Inspected> all = List.copyOf(files);
    return update(dsl, key, all);
  }

  private static int update(DSLContext dsl, LandingLedger.Key key, List<Inspected> all) {
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

  /** All files of a landing, by source key. */
  public static List<LedgerFile> files(DSLContext dsl, LandingLedger.Key key) {
    return select(dsl, "", key.lake(), key.landingId());
  }

  /** Key of the object that is each file's content, by source key. */
  public static Map<String, String> objects(DSLContext dsl, LandingLedger.Key key) {
    return dsl.resultQuery(
            "SELECT source_key, coalesce(reused_path, landed_path) FROM sluice.landing_file WHERE "
                + LandingLedger.LANDING,
            key.lake(),
            key.landingId())
        .coerce(LedgerRow.SOURCE_KEY, LedgerRow.LANDED_PATH)
        .fetchMap(LedgerRow.SOURCE_KEY, LedgerRow.LANDED_PATH);
  }

  /** The files that are exactly so far, by source key. */
  public static List<LedgerFile> files(DSLContext dsl, LandingLedger.Key key, FileState state) {
    return select(dsl, " AND state = ?", key.lake(), key.landingId(), word(state));
  }

  /**
   * A file whose rows the source told when it was copied.
   *
   * @param listed the file as it was listed
   * @param sourceRows rows by the footer of that version of it
   */
  public record Counted(LedgerFile listed, long sourceRows) {}

  /** The files whose rows the source has told, by source key. */
  public static Map<String, Counted> counted(DSLContext dsl, LandingLedger.Key key) {
    Map<String, Counted> counted = new HashMap<>();
    dsl.resultQuery(
            "SELECT source_key, size_bytes, checksum, modified_at, landed_path, source_rows"
                + " FROM sluice.landing_file WHERE source_rows IS NOT NULL AND "
                + LandingLedger.LANDING,
            key.lake(),
            key.landingId())
        .coerce(
            LedgerRow.SOURCE_KEY,
            LedgerRow.SIZE_BYTES,
            LedgerRow.CHECKSUM,
            LedgerRow.MODIFIED_AT,
            LedgerRow.LANDED_PATH,
            LedgerRow.SOURCE_ROWS)
        .forEach(
            row ->
                counted.put(
                    row.value1(),
                    new Counted(
                        LedgerFile.listed(
                            row.value1(), row.value2(), row.value3(), row.value4(), row.value5()),
                        row.value6())));
    return counted;
  }

  private static List<LedgerFile> select(DSLContext dsl, String condition, Object... binds) {
    return dsl.resultQuery(
            "SELECT "
                + LedgerRow.NAMES
                + " FROM sluice.landing_file WHERE "
                + LandingLedger.LANDING
                + condition
                + " ORDER BY source_key COLLATE \"C\"",
            binds)
        .coerce(LedgerRow.COLUMNS)
        .fetch(LedgerRow::file);
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
    List<Field<?>> columns = new ArrayList<>(LedgerRow.COLUMNS);
    columns.add(LedgerRow.LANDING_ID);
    return dsl.resultQuery(
            "SELECT "
                + LedgerRow.NAMES
                + ", landing_id FROM sluice.landing"
                + " JOIN sluice.landing_file USING (lake, landing_id)"
                + " WHERE lake = ? AND schema_name = ? AND table_name = ? AND generation = ?"
                + " AND landing.state = 'published'",
            target.lake(),
            target.schema(),
            target.table(),
            generation)
        .coerce(columns)
        .fetch(row -> new Published(row.get(LedgerRow.LANDING_ID), LedgerRow.file(row)));
  }

  /** Counts the files of a landing. */
  public static Totals totals(DSLContext dsl, LandingLedger.Key key) {
    Record row =
        dsl.fetchSingle(
            """
            SELECT count(*) AS files,
              count(*) FILTER (WHERE state <> 'listed') AS landed,
              count(*) FILTER (WHERE state = 'inspected') AS inspected,
              coalesce(sum(size_bytes), 0) AS bytes,
              coalesce(sum(size_bytes) FILTER (WHERE state <> 'listed'), 0) AS landed_bytes,
              coalesce(sum(record_count - coalesce(deleted_rows, 0)), 0) AS row_count
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

  private static String word(FileState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static <T> Param<?> texts(List<T> all, Function<T, @Nullable String> part) {
    return array(all, part, SQLDataType.CLOB, new String[0]);
  }

  private static <T> Param<?> numbers(List<T> all, Function<T, @Nullable Long> part) {
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
