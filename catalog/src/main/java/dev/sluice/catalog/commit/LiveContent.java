package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILES_SCHEDULED_FOR_DELETION;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SCHEMA;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE;
import static dev.sluice.catalog.internal.jooq.sluice.Tables.COMMIT_LOG;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import dev.sluice.catalog.LakeInfo;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.NewDeleteFile;
import dev.sluice.catalog.error.CatalogErrors;
import dev.sluice.catalog.internal.LakePath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** What is live in a table, and which objects the catalog owns already. Reads only. */
final class LiveContent {

  private final DSLContext dsl;
  private final LakeInfo lake;
  private final InlinedTables inlined;

  LiveContent(DSLContext dsl, LakeInfo lake, InlinedTables inlined) {
    this.dsl = dsl;
    this.lake = lake;
    this.inlined = inlined;
  }

  /** New content split into files whose live rows stay open and files to be added. */
  record Split(List<Long> kept, List<NewDataFile> added) {
    Split {
      kept = List.copyOf(kept);
      added = List.copyOf(added);
    }
  }

  private record Owner(long fileId, long tableId, boolean live) {}

  /** Refuses live content that no commit of ours made, unless the policy is to replace it. */
  void checkForeign(TableDraft table, ForeignContent policy) {
    switch (policy) {
      case REPLACE -> {}
      case REFUSE -> {
        Record2<Integer, String> files =
            dsl.select(count(), min(DUCKLAKE_DATA_FILE.PATH))
                .from(DUCKLAKE_DATA_FILE)
                .where(DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()))
                .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())
                .and(notOurs(DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT))
                .fetchSingle();
        int deletes =
            dsl.fetchCount(
                dsl.selectFrom(DUCKLAKE_DELETE_FILE)
                    .where(DUCKLAKE_DELETE_FILE.TABLE_ID.eq(table.id()))
                    .and(DUCKLAKE_DELETE_FILE.END_SNAPSHOT.isNull())
                    .and(notOurs(DUCKLAKE_DELETE_FILE.BEGIN_SNAPSHOT)));
        long rows = inlined.liveRows(table);
        if (files.value1() > 0 || deletes > 0 || rows > 0) {
          String example = files.value2() == null ? "" : files.value2();
          throw CatalogErrors.foreignContent(
              table.qualifiedName().toString(), files.value1(), deletes, rows, example);
        }
      }
    }
  }

  private Condition notOurs(Field<Long> beginSnapshot) {
    return notExists(
        selectOne()
            .from(COMMIT_LOG)
            .where(COMMIT_LOG.LAKE.eq(lake.key()))
            .and(COMMIT_LOG.SNAPSHOT_ID.eq(beginSnapshot)));
  }

  /** Refuses files whose object any row or scheduled deletion names. */
  void requireUnowned(TableDraft table, List<NewDataFile> files) {
    requireDistinct(table, files);
    owners(table, files)
        .forEach(
            (path, owner) -> {
              throw taken(table, path, owner);
            });
    requireNotScheduled(table, files);
  }

  /**
   * Splits new content. A live file of this table without deletes keeps its row; any other owner of
   * a path refuses it: re-adding an ended path would let expiry delete the live object.
   */
  Split split(TableDraft table, List<NewDataFile> files) {
    requireDistinct(table, files);
    Map<String, Owner> owners = owners(table, files);
    requireNotScheduled(table, files);
    List<Long> kept = new ArrayList<>();
    List<NewDataFile> added = new ArrayList<>();
    for (NewDataFile file : files) {
      Owner owner = owners.get(file.path());
      if (owner == null) {
        added.add(file);
      } else if (owner.live() && owner.tableId() == table.id() && !hasDeletes(table, owner)) {
        kept.add(owner.fileId());
      } else {
        throw taken(table, file.path(), owner);
      }
    }
    return new Split(kept, added);
  }

  /** Refuses delete files of data files that are not live in the table. */
  void requireLive(TableDraft table, List<NewDeleteFile> deletes) {
    for (NewDeleteFile delete : deletes) {
      boolean live =
          dsl.fetchExists(
              dsl.selectOne()
                  .from(DUCKLAKE_DATA_FILE)
                  .where(DUCKLAKE_DATA_FILE.DATA_FILE_ID.eq(delete.dataFileId()))
                  .and(DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()))
                  .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull()));
      if (!live) {
        throw CatalogErrors.invalid(
            "table " + table.qualifiedName(),
            "delete file %s cannot be added".formatted(delete.path()),
            "data file %d is not live in the table".formatted(delete.dataFileId()),
            "plan the delete again on the newest snapshot");
      }
    }
  }

  private static void requireDistinct(TableDraft table, List<NewDataFile> files) {
    Set<String> paths = new HashSet<>();
    for (NewDataFile file : files) {
      if (!paths.add(file.path())) {
        throw CatalogErrors.pathTaken(
            table.qualifiedName().toString(), file.path(), "this request names it twice");
      }
    }
  }

  private boolean hasDeletes(TableDraft table, Owner owner) {
    return dsl.fetchExists(
            dsl.selectOne()
                .from(DUCKLAKE_DELETE_FILE)
                .where(DUCKLAKE_DELETE_FILE.DATA_FILE_ID.eq(owner.fileId()))
                .and(DUCKLAKE_DELETE_FILE.END_SNAPSHOT.isNull()))
        || inlined.hasDeletes(table, owner.fileId());
  }

  private Map<String, Owner> owners(TableDraft table, List<NewDataFile> files) {
    if (files.isEmpty()) {
      return Map.of();
    }
    Map<String, Owner> owners = new HashMap<>();
    Set<String> wanted = new HashSet<>();
    List<String> spellings = new ArrayList<>();
    for (NewDataFile file : files) {
      wanted.add(file.path());
      spellings.add(file.path());
      if (file.path().startsWith(table.identity().path())) {
        spellings.add(file.path().substring(table.identity().path().length()));
      }
    }
    Field<String> spelled = field(name("spelled", "path"), String.class);
    dsl.select(
            DUCKLAKE_DATA_FILE.DATA_FILE_ID,
            DUCKLAKE_DATA_FILE.TABLE_ID,
            DUCKLAKE_DATA_FILE.PATH,
            DUCKLAKE_DATA_FILE.PATH_IS_RELATIVE,
            DUCKLAKE_DATA_FILE.END_SNAPSHOT)
        .from(unnest(spellings))
        .join(DUCKLAKE_DATA_FILE)
        .on(DUCKLAKE_DATA_FILE.PATH.eq(spelled))
        .forEach(
            row -> {
              String path =
                  row.value4() ? basePath(table, row.value2()) + row.value3() : row.value3();
              if (wanted.contains(path)) {
                owners.put(path, new Owner(row.value1(), row.value2(), row.value5() == null));
              }
            });
    return owners;
  }

  private void requireNotScheduled(TableDraft table, List<NewDataFile> files) {
    if (files.isEmpty()
        || !dsl.fetchExists(dsl.selectOne().from(DUCKLAKE_FILES_SCHEDULED_FOR_DELETION))) {
      return;
    }
    List<String> spellings = new ArrayList<>();
    for (NewDataFile file : files) {
      spellings.add(file.path());
      if (file.path().startsWith(lake.dataPath())) {
        spellings.add(file.path().substring(lake.dataPath().length()));
      }
    }
    Field<String> spelled = field(name("spelled", "path"), String.class);
    String scheduled =
        dsl.select(min(DUCKLAKE_FILES_SCHEDULED_FOR_DELETION.PATH))
            .from(unnest(spellings))
            .join(DUCKLAKE_FILES_SCHEDULED_FOR_DELETION)
            .on(DUCKLAKE_FILES_SCHEDULED_FOR_DELETION.PATH.eq(spelled))
            .fetchSingle()
            .value1();
    if (scheduled != null) {
      throw CatalogErrors.pathTaken(
          table.qualifiedName().toString(), scheduled, "it is scheduled for deletion");
    }
  }

  private static Table<?> unnest(List<String> paths) {
    return table("unnest({0})", val(paths.toArray(new String[0])))
        .as(name("spelled"), name("path"));
  }

  /** Where the relative paths of any table, live or not, begin. */
  private String basePath(TableDraft asking, long tableId) {
    if (tableId == asking.id()) {
      return asking.identity().path();
    }
    return dsl.select(
            DUCKLAKE_SCHEMA.PATH,
            DUCKLAKE_SCHEMA.PATH_IS_RELATIVE,
            DUCKLAKE_TABLE.PATH,
            DUCKLAKE_TABLE.PATH_IS_RELATIVE)
        .from(DUCKLAKE_TABLE)
        .join(DUCKLAKE_SCHEMA)
        .on(DUCKLAKE_SCHEMA.SCHEMA_ID.eq(DUCKLAKE_TABLE.SCHEMA_ID))
        .where(DUCKLAKE_TABLE.TABLE_ID.eq(tableId))
        .limit(1)
        .fetchOptional(
            row ->
                LakePath.resolve(
                    LakePath.resolve(lake.dataPath(), row.value1(), row.value2()),
                    row.value3(),
                    row.value4()))
        .orElse("");
  }

  private static RuntimeException taken(TableDraft table, String path, @Nullable Owner owner) {
    String whose =
        owner == null
            ? "another row names it"
            : "data file %d of table id %d (%s) names it"
                .formatted(owner.fileId(), owner.tableId(), owner.live() ? "live" : "ended");
    return CatalogErrors.pathTaken(table.qualifiedName().toString(), path, whose);
  }
}
