package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN_TAG;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SORT_EXPRESSION;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SORT_INFO;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TAG;

import dev.sluice.catalog.SortKey;
import java.util.List;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Writes sort orders and comments (ducklake-format 4.5 and 4.8). A removed comment is a row whose
 * value is NULL; a removed sort order is just ended.
 */
final class DescriptionRows {

  private static final String COMMENT = "comment";
  private static final String DIALECT = "duckdb";

  private final DSLContext dsl;
  private final Writes writes;
  private final IdAllocator ids;

  DescriptionRows(DSLContext dsl, Writes writes, IdAllocator ids) {
    this.dsl = dsl;
    this.writes = writes;
    this.ids = ids;
  }

  void write(TableDraft table) {
    if (table.isSortChanged()) {
      writeSortOrder(table);
    }
    if (table.isCommentChanged()) {
      writeComment(table);
    }
    table.columnComments().forEach((column, comment) -> writeComment(table, column, comment));
  }

  private void writeSortOrder(TableDraft table) {
    writes.first(
        dsl.update(DUCKLAKE_SORT_INFO)
            .set(DUCKLAKE_SORT_INFO.END_SNAPSHOT, ids.snapshotId())
            .where(DUCKLAKE_SORT_INFO.TABLE_ID.eq(table.id()))
            .and(DUCKLAKE_SORT_INFO.END_SNAPSHOT.isNull()));
    List<SortKey> keys = table.sortKeys();
    if (keys.isEmpty()) {
      return;
    }
    long sortId = ids.catalogId();
    writes.first(
        dsl.insertInto(
                DUCKLAKE_SORT_INFO,
                DUCKLAKE_SORT_INFO.SORT_ID,
                DUCKLAKE_SORT_INFO.TABLE_ID,
                DUCKLAKE_SORT_INFO.BEGIN_SNAPSHOT)
            .values(sortId, table.id(), ids.snapshotId()));
    for (int i = 0; i < keys.size(); i++) {
      SortKey key = keys.get(i);
      writes.first(
          dsl.insertInto(
                  DUCKLAKE_SORT_EXPRESSION,
                  DUCKLAKE_SORT_EXPRESSION.SORT_ID,
                  DUCKLAKE_SORT_EXPRESSION.TABLE_ID,
                  DUCKLAKE_SORT_EXPRESSION.SORT_KEY_INDEX,
                  DUCKLAKE_SORT_EXPRESSION.EXPRESSION,
                  DUCKLAKE_SORT_EXPRESSION.DIALECT,
                  DUCKLAKE_SORT_EXPRESSION.SORT_DIRECTION,
                  DUCKLAKE_SORT_EXPRESSION.NULL_ORDER)
              .values(
                  sortId,
                  table.id(),
                  (long) i,
                  key.expression(),
                  DIALECT,
                  key.direction().name(),
                  key.nulls().name()));
    }
  }

  private void writeComment(TableDraft table) {
    writes.first(
        dsl.update(DUCKLAKE_TAG)
            .set(DUCKLAKE_TAG.END_SNAPSHOT, ids.snapshotId())
            .where(DUCKLAKE_TAG.OBJECT_ID.eq(table.id()))
            .and(DUCKLAKE_TAG.KEY.eq(COMMENT))
            .and(DUCKLAKE_TAG.END_SNAPSHOT.isNull()));
    writes.first(
        dsl.insertInto(
                DUCKLAKE_TAG,
                DUCKLAKE_TAG.OBJECT_ID,
                DUCKLAKE_TAG.BEGIN_SNAPSHOT,
                DUCKLAKE_TAG.KEY,
                DUCKLAKE_TAG.VALUE)
            .values(table.id(), ids.snapshotId(), COMMENT, table.comment()));
  }

  private void writeComment(TableDraft table, long column, @Nullable String comment) {
    writes.first(
        dsl.update(DUCKLAKE_COLUMN_TAG)
            .set(DUCKLAKE_COLUMN_TAG.END_SNAPSHOT, ids.snapshotId())
            .where(DUCKLAKE_COLUMN_TAG.TABLE_ID.eq(table.id()))
            .and(DUCKLAKE_COLUMN_TAG.COLUMN_ID.eq(column))
            .and(DUCKLAKE_COLUMN_TAG.KEY.eq(COMMENT))
            .and(DUCKLAKE_COLUMN_TAG.END_SNAPSHOT.isNull()));
    writes.first(
        dsl.insertInto(
                DUCKLAKE_COLUMN_TAG,
                DUCKLAKE_COLUMN_TAG.TABLE_ID,
                DUCKLAKE_COLUMN_TAG.COLUMN_ID,
                DUCKLAKE_COLUMN_TAG.BEGIN_SNAPSHOT,
                DUCKLAKE_COLUMN_TAG.KEY,
                DUCKLAKE_COLUMN_TAG.VALUE)
            .values(table.id(), column, ids.snapshotId(), COMMENT, comment));
  }
}
