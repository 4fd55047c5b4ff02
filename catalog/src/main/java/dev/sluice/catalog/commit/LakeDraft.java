package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_MACRO;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_PARTITION_COLUMN;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_PARTITION_INFO;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SCHEMA;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SORT_EXPRESSION;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SORT_INFO;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_VIEW;
import static org.jooq.impl.DSL.max;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.LakeInfo;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.LayoutCache.Layout;
import dev.sluice.catalog.commit.TableDraft.Identity;
import dev.sluice.catalog.commit.TableDraft.Spec;
import dev.sluice.catalog.commit.TableDraft.SpecKey;
import dev.sluice.catalog.commit.TableDraft.StoredPath;
import dev.sluice.catalog.error.CatalogErrors;
import dev.sluice.catalog.internal.LakePath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * The lake as a commit sees and changes it: what is touched is loaded once, under the lock, and
 * changed in memory until all of it is written. Not thread-safe.
 */
final class LakeDraft {

  private final DSLContext dsl;
  private final LakeInfo lake;
  private final StoredFacts facts;
  private final IdAllocator ids;
  private final LayoutCache cache;
  private final Map<Long, SchemaDraft> schemas = new LinkedHashMap<>();
  private final Map<Long, TableDraft> tables = new LinkedHashMap<>();

  LakeDraft(OpenTransaction transaction, StoredFacts facts, IdAllocator ids) {
    this.dsl = transaction.dsl();
    this.lake = transaction.lake();
    this.cache = transaction.cache();
    this.facts = facts;
    this.ids = ids;
    cache
        .schemas(() -> loadSchemas(dsl, lake))
        .forEach(schema -> schemas.put(schema.id(), schema.copy()));
  }

  private static List<SchemaDraft> loadSchemas(DSLContext dsl, LakeInfo lake) {
    return dsl.selectFrom(DUCKLAKE_SCHEMA)
        .where(DUCKLAKE_SCHEMA.END_SNAPSHOT.isNull())
        .fetch(
            row ->
                new SchemaDraft(
                    row.getSchemaId(),
                    row.getSchemaUuid(),
                    row.getSchemaName(),
                    LakePath.resolve(lake.dataPath(), row.getPath(), row.getPathIsRelative()),
                    stored(row.getPath(), row.getPathIsRelative()),
                    false));
  }

  LakeInfo lake() {
    return lake;
  }

  Collection<SchemaDraft> schemas() {
    return schemas.values();
  }

  /** Tables that were looked at. */
  Collection<TableDraft> tables() {
    return tables.values();
  }

  Optional<SchemaDraft> findSchema(String name) {
    return schemas.values().stream()
        .filter(schema -> !schema.isDropped() && Names.same(schema.name(), name))
        .findFirst();
  }

  SchemaDraft requireSchema(String name) {
    return findSchema(name)
        .orElseThrow(
            () ->
                CatalogErrors.invalid(
                    "schema " + name,
                    "does not exist",
                    "it was never made or has been dropped",
                    "create it first"));
  }

  SchemaDraft createSchema(String name) {
    Names.requireObject("schema", name);
    UUID uuid = UUID.randomUUID();
    StoredPath path = directory(name, uuid);
    SchemaDraft schema =
        new SchemaDraft(ids.catalogId(), uuid, name, lake.dataPath() + path.path(), path, true);
    schemas.put(schema.id(), schema);
    return schema;
  }

  /** What a schema still holds, for a refusal to drop it; empty when nothing. */
  Optional<String> contentOf(SchemaDraft schema) {
    Optional<String> table =
        Optional.ofNullable(
            dsl
                .select(DUCKLAKE_TABLE.TABLE_ID, DUCKLAKE_TABLE.TABLE_NAME)
                .from(DUCKLAKE_TABLE)
                .where(DUCKLAKE_TABLE.SCHEMA_ID.eq(schema.id()))
                .and(DUCKLAKE_TABLE.END_SNAPSHOT.isNull())
                .stream()
                .filter(row -> !isDropped(row.value1()))
                .map(row -> "table " + row.value2())
                .findFirst()
                .orElse(null));
    return table
        .or(
            () ->
                tables.values().stream()
                    .filter(
                        draft -> draft.isCreated() && draft.identity().schemaId() == schema.id())
                    .filter(draft -> !draft.isDropped())
                    .map(draft -> "table " + draft.name())
                    .findFirst())
        .or(
            () ->
                dsl.select(DUCKLAKE_VIEW.VIEW_NAME)
                    .from(DUCKLAKE_VIEW)
                    .where(DUCKLAKE_VIEW.SCHEMA_ID.eq(schema.id()))
                    .and(DUCKLAKE_VIEW.END_SNAPSHOT.isNull())
                    .limit(1)
                    .fetchOptional(row -> "view " + row.value1()))
        .or(
            () ->
                dsl.select(DUCKLAKE_MACRO.MACRO_NAME)
                    .from(DUCKLAKE_MACRO)
                    .where(DUCKLAKE_MACRO.SCHEMA_ID.eq(schema.id()))
                    .and(DUCKLAKE_MACRO.END_SNAPSHOT.isNull())
                    .limit(1)
                    .fetchOptional(row -> "macro " + row.value1()));
  }

  private boolean isDropped(long tableId) {
    TableDraft draft = tables.get(tableId);
    return draft != null && draft.isDropped();
  }

  Optional<TableDraft> find(TableRef ref) {
    return switch (ref) {
      case TableRef.ById(long id) -> findTable(id);
      case TableRef.ByName(TableName name) -> findTable(name);
    };
  }

  TableDraft require(TableRef ref) {
    return find(ref)
        .orElseThrow(
            () ->
                CatalogErrors.invalid(
                    switch (ref) {
                      case TableRef.ById(long id) -> "table with id " + id;
                      case TableRef.ByName(TableName name) -> "table " + name;
                    },
                    "does not exist",
                    "it was never made or has been dropped",
                    "check the name, or create it first"));
  }

  Optional<TableDraft> findTable(long id) {
    TableDraft known = tables.get(id);
    if (known != null) {
      return known.isDropped() ? Optional.empty() : Optional.of(known);
    }
    Optional<TableDraft> cached = cache.find(id).map(this::draft);
    return cached.isPresent()
        ? cached
        : dsl.selectFrom(DUCKLAKE_TABLE)
            .where(DUCKLAKE_TABLE.TABLE_ID.eq(id).and(DUCKLAKE_TABLE.END_SNAPSHOT.isNull()))
            .fetchOptional(this::load);
  }

  Optional<TableDraft> findTable(TableName name) {
    Optional<SchemaDraft> schema = findSchema(name.schema());
    if (schema.isEmpty()) {
      return Optional.empty();
    }
    long schemaId = schema.get().id();
    Optional<TableDraft> known =
        tables.values().stream()
            .filter(draft -> !draft.isDropped() && draft.identity().schemaId() == schemaId)
            .filter(draft -> Names.same(draft.name(), name.table()))
            .findFirst();
    if (known.isPresent() || schema.get().isCreated()) {
      return known;
    }
    Optional<TableDraft> cached =
        cache
            .find(schemaId, name.table())
            .filter(layout -> !tables.containsKey(layout.identity().id()))
            .map(this::draft);
    if (cached.isPresent()) {
      return cached;
    }
    return dsl.selectFrom(DUCKLAKE_TABLE)
        .where(DUCKLAKE_TABLE.SCHEMA_ID.eq(schemaId).and(DUCKLAKE_TABLE.END_SNAPSHOT.isNull()))
        .and(Names.same(DUCKLAKE_TABLE.TABLE_NAME, name.table()))
        .and(DUCKLAKE_TABLE.TABLE_ID.notIn(tables.keySet()))
        .fetchOptional(this::load);
  }

  /** Refuses a name that a table or view of the schema has. */
  void requireFree(TableName name) {
    boolean view =
        dsl.fetchExists(
            dsl.selectOne()
                .from(DUCKLAKE_VIEW)
                .where(DUCKLAKE_VIEW.SCHEMA_ID.eq(requireSchema(name.schema()).id()))
                .and(DUCKLAKE_VIEW.END_SNAPSHOT.isNull())
                .and(Names.same(DUCKLAKE_VIEW.VIEW_NAME, name.table())));
    if (view || findTable(name).isPresent()) {
      throw CatalogErrors.invalid(
          "table " + name,
          "cannot get this name",
          "there is a %s of that name".formatted(view ? "view" : "table"),
          "choose another name, or drop that one first");
    }
  }

  TableDraft createTable(TableName name, List<ColumnSpec> columns) {
    Names.requireObject("table", name.table());
    SchemaDraft schema = requireSchema(name.schema());
    if (columns.isEmpty()) {
      throw CatalogErrors.invalid(
          "table " + name, "cannot be made", "it has no column", "give it at least one");
    }
    UUID uuid = UUID.randomUUID();
    StoredPath path = directory(name.table(), uuid);
    Identity identity =
        new Identity(
            ids.catalogId(), uuid, schema.id(), schema.name(), schema.path() + path.path(), path);
    TableDraft table =
        TableDraft.created(identity, name.table(), TableColumns.created(name.toString(), columns));
    tables.put(table.id(), table);
    return table;
  }

  private TableDraft load(Record row) {
    long id = row.get(DUCKLAKE_TABLE.TABLE_ID);
    SchemaDraft schema = schemas.get(row.get(DUCKLAKE_TABLE.SCHEMA_ID));
    if (schema == null) {
      throw CatalogErrors.damaged(
          lake.key(), "table %d is live in a schema that is not".formatted(id));
    }
    String name = row.get(DUCKLAKE_TABLE.TABLE_NAME);
    String path = row.get(DUCKLAKE_TABLE.PATH);
    Boolean relative = row.get(DUCKLAKE_TABLE.PATH_IS_RELATIVE);
    Identity identity =
        new Identity(
            id,
            row.get(DUCKLAKE_TABLE.TABLE_UUID),
            schema.id(),
            schema.name(),
            LakePath.resolve(schema.path(), path, relative),
            stored(path, relative));
    Layout layout =
        new Layout(identity, name, columns(id), highestColumnId(id) + 1, spec(id), sortKeys(id));
    cache.keep(layout);
    return draft(layout);
  }

  private TableDraft draft(Layout layout) {
    Identity identity = layout.identity();
    TableDraft table =
        TableDraft.stored(
            identity,
            layout.name(),
            new TableColumns(
                new TableName(identity.schemaName(), layout.name()).toString(),
                layout.columns(),
                layout.nextColumnId()),
            layout.spec(),
            facts.stats(identity.id()),
            layout.sortKeys());
    tables.put(table.id(), table);
    return table;
  }

  private List<ColumnRow> columns(long tableId) {
    return dsl.selectFrom(DUCKLAKE_COLUMN)
        .where(DUCKLAKE_COLUMN.TABLE_ID.eq(tableId).and(DUCKLAKE_COLUMN.END_SNAPSHOT.isNull()))
        .orderBy(DUCKLAKE_COLUMN.COLUMN_ORDER, DUCKLAKE_COLUMN.COLUMN_ID)
        .fetch(
            row ->
                new ColumnRow(
                    row.getColumnId(),
                    row.getParentColumn(),
                    row.getColumnOrder(),
                    row.getColumnName(),
                    ColumnType.parse(row.getColumnType()),
                    row.getInitialDefault(),
                    row.getDefaultValue(),
                    !Boolean.FALSE.equals(row.getNullsAllowed()),
                    row.getDefaultValueType(),
                    row.getDefaultValueDialect()));
  }

  /** Ids are never reused, so the highest one ever counts, not the highest live one. */
  private long highestColumnId(long tableId) {
    Long highest =
        dsl.select(max(DUCKLAKE_COLUMN.COLUMN_ID))
            .from(DUCKLAKE_COLUMN)
            .where(DUCKLAKE_COLUMN.TABLE_ID.eq(tableId))
            .fetchOne(0, Long.class);
    return highest == null ? 0 : highest;
  }

  private Spec spec(long tableId) {
    Long id = null;
    List<SpecKey> keys = new ArrayList<>();
    for (var row :
        dsl.select(
                DUCKLAKE_PARTITION_INFO.PARTITION_ID,
                DUCKLAKE_PARTITION_COLUMN.COLUMN_ID,
                DUCKLAKE_PARTITION_COLUMN.TRANSFORM)
            .from(DUCKLAKE_PARTITION_INFO)
            .leftJoin(DUCKLAKE_PARTITION_COLUMN)
            .on(DUCKLAKE_PARTITION_COLUMN.PARTITION_ID.eq(DUCKLAKE_PARTITION_INFO.PARTITION_ID))
            .where(DUCKLAKE_PARTITION_INFO.TABLE_ID.eq(tableId))
            .and(DUCKLAKE_PARTITION_INFO.END_SNAPSHOT.isNull())
            .orderBy(DUCKLAKE_PARTITION_COLUMN.PARTITION_KEY_INDEX)
            .fetch()) {
      id = row.value1();
      if (row.value2() != null) {
        keys.add(new SpecKey(row.value2(), PartitionTransform.parse(row.value3())));
      }
    }
    return new Spec(id, keys);
  }

  private List<SortKey> sortKeys(long tableId) {
    return dsl.select(
            DUCKLAKE_SORT_EXPRESSION.EXPRESSION,
            DUCKLAKE_SORT_EXPRESSION.SORT_DIRECTION,
            DUCKLAKE_SORT_EXPRESSION.NULL_ORDER)
        .from(DUCKLAKE_SORT_INFO)
        .join(DUCKLAKE_SORT_EXPRESSION)
        .on(DUCKLAKE_SORT_EXPRESSION.SORT_ID.eq(DUCKLAKE_SORT_INFO.SORT_ID))
        .where(DUCKLAKE_SORT_INFO.TABLE_ID.eq(tableId))
        .and(DUCKLAKE_SORT_INFO.END_SNAPSHOT.isNull())
        .orderBy(DUCKLAKE_SORT_EXPRESSION.SORT_KEY_INDEX)
        .fetch(row -> SortKey.parse(row.value1(), row.value2(), row.value3()));
  }

  /** A plain name is its own directory; any other gets its UUID, as DuckDB does it. */
  private static StoredPath directory(String name, UUID uuid) {
    return new StoredPath((Names.isPlain(name) ? name : uuid.toString()) + "/", true);
  }

  private static StoredPath stored(@Nullable String path, @Nullable Boolean relative) {
    return new StoredPath(path == null ? "" : path, relative == null || relative);
  }
}
