package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static dev.sluice.catalog.internal.jooq.sluice.Tables.COMMIT_LOG;
import static dev.sluice.catalog.internal.jooq.sluice.Tables.PUBLICATION;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.rowNumber;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.sum;

import dev.sluice.catalog.internal.jooq.ducklake.tables.DucklakeDataFile;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.Record3;
import org.jooq.Select;

/**
 * What others did to a table since Sluice last replaced its content, as the catalog still shows it.
 * The commit log tells our snapshots from theirs, also those that have expired. Reads only.
 */
final class ForeignChanges {

  /** Objects that are named, of each kind; the rest is counted. */
  private static final int SHOWN = 10;

  private static final Field<String> KIND = field(name("kind"), String.class);
  private static final Field<String> PATH = field(name("path"), String.class);
  private static final Field<Integer> TOTAL = field(name("total"), Integer.class);
  private static final Field<Integer> NTH = field(name("nth"), Integer.class);

  private final DSLContext dsl;
  private final String lake;
  private final InlinedTables inlined;

  ForeignChanges(DSLContext dsl, String lake, InlinedTables inlined) {
    this.dsl = dsl;
    this.lake = lake;
    this.inlined = inlined;
  }

  /**
   * Finds them: rows that were added, files of ours that were ended, rows of them that were
   * deleted.
   *
   * @return a text that counts all and names some; empty when there is none
   */
  Optional<String> find(TableDraft table) {
    List<String> found = new ArrayList<>();
    Select<Record3<String, String, Long>> objects =
        added(table).unionAll(ended(table)).unionAll(deleteFiles(table));
    var object = objects.asTable(name("object"), name("kind"), name("path"), name("id"));
    Field<Long> id = field(name("id"), Long.class);
    var counted =
        select(
                KIND,
                PATH,
                count().over().partitionBy(KIND).as(TOTAL),
                rowNumber().over().partitionBy(KIND).orderBy(id).as(NTH))
            .from(object)
            .asTable(name("counted"));
    dsl.select(KIND, TOTAL, PATH)
        .from(counted)
        .where(NTH.le(SHOWN))
        .orderBy(KIND, NTH)
        .fetchGroups(KIND)
        .forEach(
            (kind, rows) -> found.add(describe(kind, rows.get(0).value2(), rows.getValues(PATH))));
    long deletes = inlined.liveDeletes(table);
    if (deletes > 0) {
      found.add(deletes + " rows were deleted inside the catalog");
    }
    long rows = inlined.liveRows(table);
    if (rows > 0) {
      found.add(rows + " rows were added inside the catalog");
    }
    if (found.isEmpty()) {
      missingRows(table).ifPresent(found::add);
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", found));
  }

  private static String describe(String kind, int total, List<String> paths) {
    String more = total > paths.size() ? " and %d more".formatted(total - paths.size()) : "";
    return "%d %s (%s%s)".formatted(total, kind, String.join(", ", paths), more);
  }

  /** Merged and flushed files begin at their oldest row. */
  private Select<Record3<String, String, Long>> added(TableDraft table) {
    return select(
            inline("data files were added"),
            DUCKLAKE_DATA_FILE.PATH,
            DUCKLAKE_DATA_FILE.DATA_FILE_ID)
        .from(DUCKLAKE_DATA_FILE)
        .where(DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())
        .and(
            isNotOurs(DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT)
                .or(
                    DUCKLAKE_DATA_FILE
                        .PARTIAL_MAX
                        .isNotNull()
                        .and(isNotOurs(DUCKLAKE_DATA_FILE.PARTIAL_MAX))));
  }

  /** A DELETE or TRUNCATE of all rows of a file ends the file and leaves no delete file. */
  private Select<Record3<String, String, Long>> ended(TableDraft table) {
    return select(
            inline("data files were ended"),
            DUCKLAKE_DATA_FILE.PATH,
            DUCKLAKE_DATA_FILE.DATA_FILE_ID)
        .from(DUCKLAKE_DATA_FILE)
        .where(DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.gt(lastReplaced(table)))
        .and(isNotOurs(DUCKLAKE_DATA_FILE.END_SNAPSHOT))
        .and(isOurs(DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT));
  }

  private Select<Record3<String, String, Long>> deleteFiles(TableDraft table) {
    return select(
            inline("delete files were added"),
            DUCKLAKE_DELETE_FILE.PATH,
            DUCKLAKE_DELETE_FILE.DELETE_FILE_ID)
        .from(DUCKLAKE_DELETE_FILE)
        .join(DUCKLAKE_DATA_FILE)
        .on(DUCKLAKE_DATA_FILE.DATA_FILE_ID.eq(DUCKLAKE_DELETE_FILE.DATA_FILE_ID))
        .where(DUCKLAKE_DELETE_FILE.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_DELETE_FILE.END_SNAPSHOT.isNull())
        .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())
        .and(
            isNotOurs(DUCKLAKE_DELETE_FILE.BEGIN_SNAPSHOT)
                .or(DUCKLAKE_DELETE_FILE.PARTIAL_MAX.isNotNull()));
  }

  /**
   * The last snapshot in which we replaced the content: a publication says so, and so do files that
   * we ended. What others ended before that was found then.
   */
  private Field<Long> lastReplaced(TableDraft table) {
    DucklakeDataFile file = DUCKLAKE_DATA_FILE.as("replaced");
    return greatest(
        coalesce(field(lastPublished(table)), inline(0L)),
        coalesce(
            field(
                select(max(file.END_SNAPSHOT))
                    .from(file)
                    .where(file.TABLE_ID.eq(table.id()))
                    .and(isOurs(file.END_SNAPSHOT))),
            inline(0L)));
  }

  private Select<Record1<Long>> lastPublished(TableDraft table) {
    return select(max(PUBLICATION.SNAPSHOT_ID))
        .from(PUBLICATION)
        .where(PUBLICATION.LAKE.eq(lake))
        .and(PUBLICATION.TABLE_ID.eq(table.id()));
  }

  /**
   * Ended files vanish with their snapshots. That rows are missing shows all the same, as long as
   * none of our commits touched the table since it was published.
   */
  private Optional<String> missingRows(TableDraft table) {
    DucklakeDataFile touched = DUCKLAKE_DATA_FILE.as("touched");
    return dsl.select(
            PUBLICATION.ROW_COUNT,
            coalesce(field(rowsInFiles(table)), inline(BigDecimal.ZERO))
                .minus(coalesce(field(rowsDeleted(table)), inline(BigDecimal.ZERO))))
        .from(PUBLICATION)
        .where(PUBLICATION.LAKE.eq(lake))
        .and(PUBLICATION.TABLE_ID.eq(table.id()))
        .and(PUBLICATION.SNAPSHOT_ID.eq(lastPublished(table)))
        .andNotExists(
            selectOne()
                .from(touched)
                .where(touched.TABLE_ID.eq(table.id()))
                .and(
                    touched
                        .BEGIN_SNAPSHOT
                        .gt(PUBLICATION.SNAPSHOT_ID)
                        .and(isOurs(touched.BEGIN_SNAPSHOT))
                        .or(
                            touched
                                .END_SNAPSHOT
                                .gt(PUBLICATION.SNAPSHOT_ID)
                                .and(isOurs(touched.END_SNAPSHOT)))))
        .fetchOptional()
        .filter(row -> row.value2().longValueExact() < row.value1())
        .map(
            row ->
                "%d of %d published rows are gone, with the snapshots that removed them"
                    .formatted(row.value1() - row.value2().longValueExact(), row.value1()));
  }

  private static Select<Record1<BigDecimal>> rowsInFiles(TableDraft table) {
    return select(sum(DUCKLAKE_DATA_FILE.RECORD_COUNT))
        .from(DUCKLAKE_DATA_FILE)
        .where(DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull());
  }

  /** By delete files that were published; those of others are found before. */
  private static Select<Record1<BigDecimal>> rowsDeleted(TableDraft table) {
    return select(sum(DUCKLAKE_DELETE_FILE.DELETE_COUNT))
        .from(DUCKLAKE_DELETE_FILE)
        .join(DUCKLAKE_DATA_FILE)
        .on(DUCKLAKE_DATA_FILE.DATA_FILE_ID.eq(DUCKLAKE_DELETE_FILE.DATA_FILE_ID))
        .where(DUCKLAKE_DELETE_FILE.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_DELETE_FILE.END_SNAPSHOT.isNull())
        .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull());
  }

  private Condition isOurs(Field<Long> snapshot) {
    return exists(logged(snapshot));
  }

  private Condition isNotOurs(Field<Long> snapshot) {
    return notExists(logged(snapshot));
  }

  private Select<?> logged(Field<Long> snapshot) {
    return selectOne()
        .from(COMMIT_LOG)
        .where(COMMIT_LOG.LAKE.eq(lake))
        .and(COMMIT_LOG.SNAPSHOT_ID.eq(snapshot));
  }
}
