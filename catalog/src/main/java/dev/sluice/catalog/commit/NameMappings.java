package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN_MAPPING;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_NAME_MAPPING;
import static org.jooq.impl.DSL.row;

import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.commit.StoredFacts.MappingRow;
import dev.sluice.catalog.error.CatalogErrors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Name mappings of one table's new files (ducklake-format 7). Files that are mapped alike share a
 * mapping, also one that is stored. Not thread-safe.
 */
final class NameMappings {

  private final DSLContext dsl;
  private final StoredFacts facts;
  private final Writes writes;
  private final IdAllocator ids;
  private final Map<FileMapping, Long> known = new HashMap<>();
  private final Map<Long, Map<Set<Meaning>, Long>> storedByTable = new HashMap<>();

  NameMappings(DSLContext dsl, StoredFacts facts, Writes writes, IdAllocator ids) {
    this.dsl = dsl;
    this.facts = facts;
    this.writes = writes;
    this.ids = ids;
  }

  /** Finds or writes the mapping of every new file of the table. */
  void prepare(TableDraft table) {
    known.clear();
    for (NewDataFile file : table.newFiles()) {
      if (file.mapping() instanceof FileMapping.ByName mapping && !known.containsKey(mapping)) {
        List<MappingRow> rows = new ArrayList<>();
        addRows(table, rows, mapping.fields(), null, null);
        Map<Set<Meaning>, Long> stored = storedOf(table);
        Long id = stored.get(meaning(rows));
        if (id == null) {
          id = write(table, rows);
          stored.put(meaning(rows), id);
        }
        known.put(mapping, id);
      }
    }
  }

  /** Whether a stored mapping, or none, finds the table's columns just as the given one does. */
  boolean maps(TableDraft table, FileMapping mapping, @Nullable Long storedId) {
    return switch (mapping) {
      case FileMapping.ByFieldId byFieldId -> storedId == null;
      case FileMapping.ByName byName -> {
        List<MappingRow> rows = new ArrayList<>();
        addRows(table, rows, byName.fields(), null, null);
        yield storedId != null && storedId.equals(storedOf(table).get(meaning(rows)));
      }
    };
  }

  private Map<Set<Meaning>, Long> storedOf(TableDraft table) {
    return storedByTable.computeIfAbsent(table.id(), id -> stored(table));
  }

  /** The mapping's id; null when columns are found by field id. */
  @Nullable Long id(FileMapping mapping) {
    return known.get(mapping);
  }

  private void addRows(
      TableDraft table,
      List<MappingRow> rows,
      List<MappedField> fields,
      @Nullable Long parentIndex,
      @Nullable Long parentColumn) {
    for (MappedField field : fields) {
      ColumnRow target =
          table
              .columns()
              .find(parentColumn, field.targetName())
              .orElseThrow(
                  () ->
                      CatalogErrors.invalid(
                          "table " + table.qualifiedName(),
                          "file column %s cannot be mapped".formatted(field.sourceName()),
                          "the table has no column " + field.targetName(),
                          "plan the registration again on the newest snapshot"));
      long index = rows.size();
      rows.add(
          new MappingRow(
              index,
              field.sourceName(),
              target.id(),
              parentIndex,
              field.origin() == FileMapping.Origin.PATH));
      addRows(table, rows, field.children(), index, target.id());
    }
  }

  /** What one row of a mapping says; the order of rows says nothing. */
  private record Meaning(
      String sourceName, long targetId, @Nullable Long parentTarget, boolean partition) {}

  private static Set<Meaning> meaning(List<MappingRow> rows) {
    Map<Long, Long> targets = new HashMap<>();
    rows.forEach(row -> targets.put(row.index(), row.targetId()));
    Set<Meaning> meaning = new HashSet<>();
    for (MappingRow row : rows) {
      Long parent = row.parent();
      meaning.add(
          new Meaning(
              row.sourceName(),
              row.targetId(),
              parent == null ? null : targets.get(parent),
              row.partition()));
    }
    return meaning;
  }

  private Map<Set<Meaning>, Long> stored(TableDraft table) {
    Map<Set<Meaning>, Long> byRows = new HashMap<>();
    if (table.isCreated()) {
      return byRows;
    }
    facts.mappings(table.id()).forEach((id, rows) -> byRows.put(meaning(rows), id));
    return byRows;
  }

  private long write(TableDraft table, List<MappingRow> rows) {
    long id = ids.fileId();
    writes.first(
        dsl.insertInto(
                DUCKLAKE_COLUMN_MAPPING,
                DUCKLAKE_COLUMN_MAPPING.MAPPING_ID,
                DUCKLAKE_COLUMN_MAPPING.TABLE_ID,
                DUCKLAKE_COLUMN_MAPPING.TYPE)
            .values(id, table.id(), "map_by_name"));
    if (rows.isEmpty()) {
      return id;
    }
    writes.first(
        dsl.insertInto(
                DUCKLAKE_NAME_MAPPING,
                DUCKLAKE_NAME_MAPPING.MAPPING_ID,
                DUCKLAKE_NAME_MAPPING.COLUMN_ID,
                DUCKLAKE_NAME_MAPPING.SOURCE_NAME,
                DUCKLAKE_NAME_MAPPING.TARGET_FIELD_ID,
                DUCKLAKE_NAME_MAPPING.PARENT_COLUMN,
                DUCKLAKE_NAME_MAPPING.IS_PARTITION)
            .valuesOfRows(
                rows.stream()
                    .map(
                        mapped ->
                            row(
                                id,
                                mapped.index(),
                                mapped.sourceName(),
                                mapped.targetId(),
                                mapped.parent(),
                                mapped.partition()))
                    .toList()));
    return id;
  }
}
