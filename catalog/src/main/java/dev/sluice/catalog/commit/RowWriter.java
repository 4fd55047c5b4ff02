package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN_TAG;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_PARTITION_COLUMN;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_PARTITION_INFO;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SCHEMA;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SCHEMA_VERSIONS;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SORT_INFO;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TAG;
import static org.jooq.impl.DSL.all;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.val;

import dev.sluice.catalog.commit.TableDraft.Content;
import dev.sluice.catalog.commit.TableDraft.Spec;
import dev.sluice.catalog.commit.TableDraft.SpecKey;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Table;

/**
 * Says what a draft writes: everything that ends at this snapshot, everything that begins. Rows are
 * ended and added, never changed, so that older snapshots stay as they were. Not thread-safe.
 */
final class RowWriter {

  private final DSLContext dsl;
  private final StoredFacts facts;
  private final Writes writes;
  private final IdAllocator ids;
  private final FileRows files;
  private final StatisticsRows statistics;
  private final InlinedTables inlined;
  private final DescriptionRows descriptions;
  private final ChangeLog log = new ChangeLog();

  RowWriter(
      DSLContext dsl,
      StoredFacts facts,
      Writes writes,
      IdAllocator ids,
      FileRows files,
      StatisticsRows statistics,
      InlinedTables inlined) {
    this.dsl = dsl;
    this.facts = facts;
    this.writes = writes;
    this.ids = ids;
    this.files = files;
    this.statistics = statistics;
    this.inlined = inlined;
    this.descriptions = new DescriptionRows(dsl, writes, ids);
  }

  /** Collects all of it; the log says what is done. */
  ChangeLog write(LakeDraft lake) {
    boolean layout = lake.schemas().stream().anyMatch(s -> s.isCreated() != s.isDropped());
    layout |= lake.tables().stream().anyMatch(RowWriter::changesCatalog);
    if (layout) {
      ids.schemaChanges();
    }
    lake.schemas().stream().filter(s -> s.isDropped() && !s.isCreated()).forEach(this::dropSchema);
    lake.tables().stream().filter(t -> t.isDropped() && !t.isCreated()).forEach(this::dropTable);
    lake.schemas().stream().filter(s -> s.isCreated() && !s.isDropped()).forEach(this::addSchema);
    lake.tables().stream().filter(t -> !t.isDropped()).forEach(this::writeTable);
    return log;
  }

  private static boolean changesCatalog(TableDraft table) {
    return table.isDropped()
        ? !table.isCreated()
        : table.isCreated() || table.isLayoutChanged() || table.isDescriptionChanged();
  }

  private void dropSchema(SchemaDraft schema) {
    end(DUCKLAKE_SCHEMA, DUCKLAKE_SCHEMA.END_SNAPSHOT, DUCKLAKE_SCHEMA.SCHEMA_ID.eq(schema.id()));
    log.droppedSchema(schema.id());
  }

  private void addSchema(SchemaDraft schema) {
    writes.first(
        dsl.insertInto(
                DUCKLAKE_SCHEMA,
                DUCKLAKE_SCHEMA.SCHEMA_ID,
                DUCKLAKE_SCHEMA.SCHEMA_UUID,
                DUCKLAKE_SCHEMA.BEGIN_SNAPSHOT,
                DUCKLAKE_SCHEMA.SCHEMA_NAME,
                DUCKLAKE_SCHEMA.PATH,
                DUCKLAKE_SCHEMA.PATH_IS_RELATIVE)
            .values(
                schema.id(),
                schema.uuid(),
                ids.snapshotId(),
                schema.name(),
                schema.storedPath().path(),
                schema.storedPath().relative()));
    log.createdSchema(schema.name());
  }

  /** Ends everything that hangs on the table; inlined rows follow the table row. */
  private void dropTable(TableDraft table) {
    long id = table.id();
    end(DUCKLAKE_TABLE, DUCKLAKE_TABLE.END_SNAPSHOT, DUCKLAKE_TABLE.TABLE_ID.eq(id));
    end(
        DUCKLAKE_PARTITION_INFO,
        DUCKLAKE_PARTITION_INFO.END_SNAPSHOT,
        DUCKLAKE_PARTITION_INFO.TABLE_ID.eq(id));
    end(DUCKLAKE_COLUMN, DUCKLAKE_COLUMN.END_SNAPSHOT, DUCKLAKE_COLUMN.TABLE_ID.eq(id));
    end(DUCKLAKE_COLUMN_TAG, DUCKLAKE_COLUMN_TAG.END_SNAPSHOT, DUCKLAKE_COLUMN_TAG.TABLE_ID.eq(id));
    end(DUCKLAKE_DATA_FILE, DUCKLAKE_DATA_FILE.END_SNAPSHOT, DUCKLAKE_DATA_FILE.TABLE_ID.eq(id));
    end(
        DUCKLAKE_DELETE_FILE,
        DUCKLAKE_DELETE_FILE.END_SNAPSHOT,
        DUCKLAKE_DELETE_FILE.TABLE_ID.eq(id));
    end(DUCKLAKE_TAG, DUCKLAKE_TAG.END_SNAPSHOT, DUCKLAKE_TAG.OBJECT_ID.eq(id));
    end(DUCKLAKE_SORT_INFO, DUCKLAKE_SORT_INFO.END_SNAPSHOT, DUCKLAKE_SORT_INFO.TABLE_ID.eq(id));
    log.droppedTable(id);
  }

  private void writeTable(TableDraft table) {
    if (table.isCreated() || table.isRenamed()) {
      writeTableRow(table);
    }
    writeColumns(table);
    if (table.isSpecChanged()) {
      writeSpec(table);
    }
    if (table.isCreated() || table.isLayoutChanged()) {
      writes.first(
          dsl.insertInto(
                  DUCKLAKE_SCHEMA_VERSIONS,
                  DUCKLAKE_SCHEMA_VERSIONS.BEGIN_SNAPSHOT,
                  DUCKLAKE_SCHEMA_VERSIONS.SCHEMA_VERSION,
                  DUCKLAKE_SCHEMA_VERSIONS.TABLE_ID)
              .values(ids.snapshotId(), ids.schemaVersion(), table.id()));
    }
    descriptions.write(table);
    boolean altered =
        table.columns().isChanged() || table.isSpecChanged() || table.isDescriptionChanged();
    if (altered && !table.isCreated()) {
      log.altered(table.id());
    }
    if (table.isCreated() || table.isLayoutChanged()) {
      inlined.makeForNewLayout(table, ids.schemaVersion());
    }
    writeContent(table);
  }

  private void writeTableRow(TableDraft table) {
    if (table.isRenamed()) {
      end(DUCKLAKE_TABLE, DUCKLAKE_TABLE.END_SNAPSHOT, DUCKLAKE_TABLE.TABLE_ID.eq(table.id()));
    }
    writes.first(
        dsl.insertInto(
                DUCKLAKE_TABLE,
                DUCKLAKE_TABLE.TABLE_ID,
                DUCKLAKE_TABLE.TABLE_UUID,
                DUCKLAKE_TABLE.BEGIN_SNAPSHOT,
                DUCKLAKE_TABLE.SCHEMA_ID,
                DUCKLAKE_TABLE.TABLE_NAME,
                DUCKLAKE_TABLE.PATH,
                DUCKLAKE_TABLE.PATH_IS_RELATIVE)
            .values(
                table.id(),
                table.identity().uuid(),
                ids.snapshotId(),
                table.identity().schemaId(),
                table.name(),
                table.identity().storedPath().path(),
                table.identity().storedPath().relative()));
    log.createdTable(table.qualifiedName());
  }

  private void writeColumns(TableDraft table) {
    List<Long> ended = table.columns().ended().stream().map(ColumnRow::id).toList();
    if (!ended.isEmpty()) {
      end(
          DUCKLAKE_COLUMN,
          DUCKLAKE_COLUMN.END_SNAPSHOT,
          DUCKLAKE_COLUMN.TABLE_ID.eq(table.id()).and(DUCKLAKE_COLUMN.COLUMN_ID.in(ended)));
      table.columns().recreated().forEach((old, id) -> keepTags(table, old, id));
      endTagsOfDropped(table, ended);
    }
    List<ColumnRow> begun = table.columns().begun();
    if (begun.isEmpty()) {
      return;
    }
    var insert =
        dsl.insertInto(
            DUCKLAKE_COLUMN,
            DUCKLAKE_COLUMN.COLUMN_ID,
            DUCKLAKE_COLUMN.BEGIN_SNAPSHOT,
            DUCKLAKE_COLUMN.TABLE_ID,
            DUCKLAKE_COLUMN.COLUMN_ORDER,
            DUCKLAKE_COLUMN.COLUMN_NAME,
            DUCKLAKE_COLUMN.COLUMN_TYPE,
            DUCKLAKE_COLUMN.INITIAL_DEFAULT,
            DUCKLAKE_COLUMN.DEFAULT_VALUE,
            DUCKLAKE_COLUMN.NULLS_ALLOWED,
            DUCKLAKE_COLUMN.PARENT_COLUMN,
            DUCKLAKE_COLUMN.DEFAULT_VALUE_TYPE,
            DUCKLAKE_COLUMN.DEFAULT_VALUE_DIALECT);
    for (ColumnRow row : begun) {
      insert =
          insert.values(
              row.id(),
              ids.snapshotId(),
              table.id(),
              row.order(),
              row.name(),
              row.type().text(),
              row.initialDefault(),
              row.defaultValue(),
              row.nullsAllowed(),
              row.parent(),
              row.defaultValueType(),
              row.defaultValueDialect());
    }
    writes.first(insert);
  }

  /** Comments say what a column means, and it means the same in another type. */
  private void keepTags(TableDraft table, long old, long id) {
    writes.first(
        dsl.insertInto(
                DUCKLAKE_COLUMN_TAG,
                DUCKLAKE_COLUMN_TAG.TABLE_ID,
                DUCKLAKE_COLUMN_TAG.COLUMN_ID,
                DUCKLAKE_COLUMN_TAG.BEGIN_SNAPSHOT,
                DUCKLAKE_COLUMN_TAG.KEY,
                DUCKLAKE_COLUMN_TAG.VALUE)
            .select(
                dsl.select(
                        DUCKLAKE_COLUMN_TAG.TABLE_ID,
                        val(id),
                        val(ids.snapshotId()),
                        DUCKLAKE_COLUMN_TAG.KEY,
                        DUCKLAKE_COLUMN_TAG.VALUE)
                    .from(DUCKLAKE_COLUMN_TAG)
                    .where(DUCKLAKE_COLUMN_TAG.TABLE_ID.eq(table.id()))
                    .and(DUCKLAKE_COLUMN_TAG.COLUMN_ID.eq(old))
                    .and(DUCKLAKE_COLUMN_TAG.END_SNAPSHOT.isNull())));
  }

  private void endTagsOfDropped(TableDraft table, List<Long> ended) {
    List<Long> current = table.columns().all().stream().map(ColumnRow::id).toList();
    List<Long> dropped = ended.stream().filter(id -> !current.contains(id)).toList();
    if (!dropped.isEmpty()) {
      end(
          DUCKLAKE_COLUMN_TAG,
          DUCKLAKE_COLUMN_TAG.END_SNAPSHOT,
          DUCKLAKE_COLUMN_TAG
              .TABLE_ID
              .eq(table.id())
              .and(DUCKLAKE_COLUMN_TAG.COLUMN_ID.in(dropped)));
    }
  }

  private void writeSpec(TableDraft table) {
    if (!table.isCreated()) {
      end(
          DUCKLAKE_PARTITION_INFO,
          DUCKLAKE_PARTITION_INFO.END_SNAPSHOT,
          DUCKLAKE_PARTITION_INFO.TABLE_ID.eq(table.id()));
    }
    Spec spec = table.spec();
    writes.first(
        dsl.insertInto(
                DUCKLAKE_PARTITION_INFO,
                DUCKLAKE_PARTITION_INFO.PARTITION_ID,
                DUCKLAKE_PARTITION_INFO.TABLE_ID,
                DUCKLAKE_PARTITION_INFO.BEGIN_SNAPSHOT)
            .values(spec.id(), table.id(), ids.snapshotId()));
    for (int i = 0; i < spec.keys().size(); i++) {
      SpecKey key = spec.keys().get(i);
      writes.first(
          dsl.insertInto(
                  DUCKLAKE_PARTITION_COLUMN,
                  DUCKLAKE_PARTITION_COLUMN.PARTITION_ID,
                  DUCKLAKE_PARTITION_COLUMN.TABLE_ID,
                  DUCKLAKE_PARTITION_COLUMN.PARTITION_KEY_INDEX,
                  DUCKLAKE_PARTITION_COLUMN.COLUMN_ID,
                  DUCKLAKE_PARTITION_COLUMN.TRANSFORM)
              .values(spec.id(), table.id(), (long) i, key.columnId(), key.transform().text()));
    }
  }

  private void writeContent(TableDraft table) {
    if (table.content() == Content.REPLACE && !table.isCreated()) {
      endContent(table);
    }
    long firstRowId = table.stats() == null ? 0 : table.stats().nextRowId();
    long nextRowId = files.writeDataFiles(table, firstRowId);
    if (!table.newFiles().isEmpty()) {
      log.inserted(table.id());
    }
    if (!table.newDeletes().isEmpty()) {
      files.writeDeleteFiles(table);
      log.deleted(table.id());
    }
    endRows(table);
    statistics.write(table, nextRowId);
  }

  private void endRows(TableDraft table) {
    if (!table.endedFiles().isEmpty()) {
      Long[] ended = table.endedFiles().toArray(new Long[0]);
      end(
          DUCKLAKE_DATA_FILE,
          DUCKLAKE_DATA_FILE.END_SNAPSHOT,
          DUCKLAKE_DATA_FILE.DATA_FILE_ID.eq(any(ended)));
      end(
          DUCKLAKE_DELETE_FILE,
          DUCKLAKE_DELETE_FILE.END_SNAPSHOT,
          DUCKLAKE_DELETE_FILE
              .DATA_FILE_ID
              .eq(any(ended))
              .and(inlined.holdsNoDeletesOf(table, DUCKLAKE_DELETE_FILE.DATA_FILE_ID)));
      log.deleted(table.id());
    }
    if (!table.inlinedDeletes().isEmpty()) {
      inlined.deleteRows(table, ids.snapshotId(), table.inlinedDeletes());
      log.inlinedDelete(table.id());
    }
    if (!table.endedInlinedRows().isEmpty()) {
      inlined.endRows(table, ids.snapshotId(), table.endedInlinedRows());
      log.inlinedDelete(table.id());
    }
  }

  private void endContent(TableDraft table) {
    Condition ofTable = DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id());
    if (!table.keptFiles().isEmpty()) {
      ofTable =
          ofTable.and(
              DUCKLAKE_DATA_FILE.DATA_FILE_ID.ne(all(table.keptFiles().toArray(new Long[0]))));
    }
    end(DUCKLAKE_DATA_FILE, DUCKLAKE_DATA_FILE.END_SNAPSHOT, ofTable);
    Condition deletes = DUCKLAKE_DELETE_FILE.TABLE_ID.eq(table.id());
    if (!table.keptDeletes().isEmpty()) {
      deletes =
          deletes.and(
              DUCKLAKE_DELETE_FILE.DATA_FILE_ID.ne(all(table.keptDeletes().toArray(new Long[0]))));
    }
    end(
        DUCKLAKE_DELETE_FILE,
        DUCKLAKE_DELETE_FILE.END_SNAPSHOT,
        deletes.and(inlined.holdsNoDeletesOf(table, DUCKLAKE_DELETE_FILE.DATA_FILE_ID)));
    if (facts.liveFiles(table.id()) > table.keptFiles().size()) {
      log.deleted(table.id());
    }
    if (inlined.endRows(table, ids.snapshotId()) > 0) {
      log.inlinedDelete(table.id());
    }
  }

  private void end(Table<?> table, Field<Long> endSnapshot, Condition which) {
    writes.first(
        dsl.update(table)
            .set(endSnapshot, ids.snapshotId())
            .where(which)
            .and(endSnapshot.isNull()));
  }
}
