package dev.sluice.activities.jobs;

import static java.util.stream.Collectors.joining;

import dev.sluice.activities.jobs.LedgerFile.FileState;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code sluice.landing_file}. Its columns have types: with tens of thousands of rows,
 * looking columns up by name and converting them costs more than the rest.
 */
final class LedgerRow {

  static final Field<String> LANDING_ID = column("landing_id", SQLDataType.CLOB);
  static final Field<String> SOURCE_KEY = column("source_key", SQLDataType.CLOB);
  static final Field<Long> SIZE_BYTES = column("size_bytes", SQLDataType.BIGINT);
  static final Field<String> CHECKSUM = column("checksum", SQLDataType.CLOB);
  static final Field<Instant> MODIFIED_AT = column("modified_at", SQLDataType.INSTANT);
  static final Field<String> LANDED_PATH = column("landed_path", SQLDataType.CLOB);
  private static final Field<String> REUSED_PATH = column("reused_path", SQLDataType.CLOB);
  private static final Field<String> STATE = column("state", SQLDataType.CLOB);
  private static final Field<Long> RECORD_COUNT = column("record_count", SQLDataType.BIGINT);
  private static final Field<Long> FOOTER_SIZE = column("footer_size", SQLDataType.BIGINT);
  private static final Field<String> FACTS = column("column_stats", SQLDataType.CLOB);
  private static final Field<String> PLAN = column("plan", SQLDataType.CLOB);
  private static final Field<Long> LANDED_BYTES = column("landed_bytes", SQLDataType.BIGINT);
  private static final Field<Long> DELETED_ROWS = column("deleted_rows", SQLDataType.BIGINT);
  private static final Field<String> LANDED_FACTS = column("landed_facts", SQLDataType.CLOB);
  static final Field<Long> SOURCE_ROWS = column("source_rows", SQLDataType.BIGINT);

  /** What a {@link LedgerFile} is made of. */
  static final List<Field<?>> COLUMNS =
      List.of(
          SOURCE_KEY,
          SIZE_BYTES,
          CHECKSUM,
          MODIFIED_AT,
          LANDED_PATH,
          REUSED_PATH,
          STATE,
          RECORD_COUNT,
          FOOTER_SIZE,
          FACTS,
          PLAN,
          LANDED_BYTES,
          DELETED_ROWS,
          LANDED_FACTS);

  /** The same for a SELECT, with the table before each. */
  static final String NAMES =
      COLUMNS.stream().map(column -> "landing_file." + column.getName()).collect(joining(", "));

  private LedgerRow() {}

  private static <T> Field<T> column(String name, DataType<T> type) {
    return DSL.field(DSL.name(name), type);
  }

  static LedgerFile file(Record row) {
    return new LedgerFile(
        row.get(SOURCE_KEY),
        row.get(SIZE_BYTES),
        row.get(CHECKSUM),
        row.get(MODIFIED_AT),
        row.get(LANDED_PATH),
        row.get(REUSED_PATH),
        FileState.valueOf(row.get(STATE).toUpperCase(Locale.ROOT)),
        row.get(RECORD_COUNT),
        row.get(FOOTER_SIZE),
        row.get(FACTS),
        row.get(PLAN),
        landed(row));
  }

  private static LedgerFile.@Nullable Landed landed(Record row) {
    String facts = row.get(LANDED_FACTS);
    Long deleted = row.get(DELETED_ROWS);
    return facts == null
        ? null
        : new LedgerFile.Landed(row.get(LANDED_BYTES), deleted == null ? 0 : deleted, facts);
  }
}
