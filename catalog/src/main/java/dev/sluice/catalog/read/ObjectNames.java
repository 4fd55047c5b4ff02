package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SCHEMA;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_VIEW;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jooq.DSLContext;
import org.jooq.Record3;

/** The names that tables, views and schemas had, by id and by the snapshot they had them from. */
final class ObjectNames {

  private ObjectNames() {}

  static Map<Long, NavigableMap<Long, String>> of(DSLContext dsl, Set<Long> ids) {
    Map<Long, NavigableMap<Long, String>> names = new HashMap<>();
    Map<Long, String> schemas = new HashMap<>();
    dsl.select(
            DUCKLAKE_SCHEMA.SCHEMA_ID, DUCKLAKE_SCHEMA.BEGIN_SNAPSHOT, DUCKLAKE_SCHEMA.SCHEMA_NAME)
        .from(DUCKLAKE_SCHEMA)
        .forEach(
            row -> {
              schemas.put(row.value1(), row.value3());
              if (ids.contains(row.value1())) {
                add(names, row, row.value3());
              }
            });
    dsl.select(
            DUCKLAKE_TABLE.TABLE_ID,
            DUCKLAKE_TABLE.BEGIN_SNAPSHOT,
            DUCKLAKE_TABLE.TABLE_NAME,
            DUCKLAKE_TABLE.SCHEMA_ID)
        .from(DUCKLAKE_TABLE)
        .where(DUCKLAKE_TABLE.TABLE_ID.in(ids))
        .unionAll(
            dsl.select(
                    DUCKLAKE_VIEW.VIEW_ID,
                    DUCKLAKE_VIEW.BEGIN_SNAPSHOT,
                    DUCKLAKE_VIEW.VIEW_NAME,
                    DUCKLAKE_VIEW.SCHEMA_ID)
                .from(DUCKLAKE_VIEW)
                .where(DUCKLAKE_VIEW.VIEW_ID.in(ids)))
        .forEach(
            row ->
                names
                    .computeIfAbsent(row.value1(), id -> new TreeMap<>())
                    .put(
                        row.value2(),
                        schemas.getOrDefault(row.value4(), "#" + row.value4())
                            + "."
                            + row.value3()));
    return names;
  }

  private static void add(
      Map<Long, NavigableMap<Long, String>> names, Record3<Long, Long, String> row, String name) {
    names.computeIfAbsent(row.value1(), id -> new TreeMap<>()).put(row.value2(), name);
  }
}
