package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILES_SCHEDULED_FOR_DELETION;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SCHEMA;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE;

import dev.sluice.catalog.internal.LakePath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** Finds out which objects the catalog knows in whatever role, now or at an earlier snapshot. */
final class NamedObjects {

  private final DSLContext dsl;
  private final String dataPath;
  private final Set<String> wanted;
  private final Set<String> named = new HashSet<>();

  private NamedObjects(DSLContext dsl, String dataPath, Collection<String> paths) {
    this.dsl = dsl;
    this.dataPath = dataPath;
    this.wanted = new HashSet<>(paths);
  }

  /** Those of the full paths that any row names. */
  static Set<String> among(DSLContext dsl, String dataPath, Collection<String> paths) {
    if (paths.isEmpty()) {
      return Set.of();
    }
    return new NamedObjects(dsl, dataPath, paths).find();
  }

  private Set<String> find() {
    Map<Long, String> bases = bases();
    String[] spellings = spellings(bases.values());
    dsl.select(
            DUCKLAKE_DATA_FILE.TABLE_ID,
            DUCKLAKE_DATA_FILE.PATH,
            DUCKLAKE_DATA_FILE.PATH_IS_RELATIVE)
        .from(DUCKLAKE_DATA_FILE)
        .where(DUCKLAKE_DATA_FILE.PATH.eq(DSL.any(spellings)))
        .unionAll(
            dsl.select(
                    DUCKLAKE_DELETE_FILE.TABLE_ID,
                    DUCKLAKE_DELETE_FILE.PATH,
                    DUCKLAKE_DELETE_FILE.PATH_IS_RELATIVE)
                .from(DUCKLAKE_DELETE_FILE)
                .where(DUCKLAKE_DELETE_FILE.PATH.eq(DSL.any(spellings))))
        .forEach(
            row ->
                note(
                    LakePath.resolve(
                        bases.getOrDefault(row.value1(), dataPath), row.value2(), row.value3())));
    dsl.select(
            DUCKLAKE_FILES_SCHEDULED_FOR_DELETION.PATH,
            DUCKLAKE_FILES_SCHEDULED_FOR_DELETION.PATH_IS_RELATIVE)
        .from(DUCKLAKE_FILES_SCHEDULED_FOR_DELETION)
        .where(DUCKLAKE_FILES_SCHEDULED_FOR_DELETION.PATH.eq(DSL.any(spellings)))
        .forEach(row -> note(LakePath.resolve(dataPath, row.value1(), row.value2())));
    return named;
  }

  private void note(String path) {
    if (wanted.contains(path)) {
      named.add(path);
    }
  }

  /** Where the relative paths of every table, live or not, begin. */
  private Map<Long, String> bases() {
    Map<Long, String> bases = new HashMap<>();
    dsl.select(
            DUCKLAKE_TABLE.TABLE_ID,
            DUCKLAKE_SCHEMA.PATH,
            DUCKLAKE_SCHEMA.PATH_IS_RELATIVE,
            DUCKLAKE_TABLE.PATH,
            DUCKLAKE_TABLE.PATH_IS_RELATIVE)
        .from(DUCKLAKE_TABLE)
        .join(DUCKLAKE_SCHEMA)
        .on(DUCKLAKE_SCHEMA.SCHEMA_ID.eq(DUCKLAKE_TABLE.SCHEMA_ID))
        .forEach(
            row ->
                bases.put(
                    row.value1(),
                    LakePath.resolve(
                        LakePath.resolve(dataPath, row.value2(), row.value3()),
                        row.value4(),
                        row.value5())));
    return bases;
  }

  /** Every way in which a row can spell the wanted paths. */
  private String[] spellings(Collection<String> tableBases) {
    Set<String> bases = new HashSet<>(tableBases);
    bases.add(dataPath);
    List<String> spellings = new ArrayList<>();
    for (String path : wanted) {
      spellings.add(path);
      for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
        if (bases.contains(path.substring(0, slash + 1))) {
          spellings.add(path.substring(slash + 1));
        }
      }
    }
    return spellings.toArray(new String[0]);
  }
}
