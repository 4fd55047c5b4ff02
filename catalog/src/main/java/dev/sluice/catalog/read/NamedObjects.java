package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILES_SCHEDULED_FOR_DELETION;

import dev.sluice.catalog.internal.LakePath;
import dev.sluice.catalog.internal.TableBases;
import java.util.Collection;
import java.util.HashSet;
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
    Map<Long, String> bases = TableBases.load(dsl, dataPath);
    Set<String> beginnings = new HashSet<>(bases.values());
    beginnings.add(dataPath);
    String[] spellings = TableBases.spellings(wanted, beginnings).toArray(new String[0]);
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
}
