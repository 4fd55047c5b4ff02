package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.read.NameMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds what feeds a table's column in a file. */
sealed interface FieldFinder {

  /** The way that the plan prescribes for a file. */
  static FieldFinder of(@Nullable NameMap nameMap, PhysicalField root, List<Column> columns) {
    if (nameMap != null) {
      return ByName.of(nameMap);
    }
    return root.hasFieldIds() ? new ById() : ByPosition.of(columns);
  }

  /** The field among the children of a struct or of the file's root. */
  Optional<PhysicalField> find(Column column, PhysicalField parent);

  /** The key of the path segment that holds the column's value. */
  default Optional<String> pathKey(Column column) {
    return Optional.empty();
  }

  /** By field id. */
  record ById() implements FieldFinder {
    @Override
    public Optional<PhysicalField> find(Column column, PhysicalField parent) {
      return parent.childById(column.id());
    }
  }

  /** By a name map, which covers nested fields too. */
  record ByName(Map<Long, NameMap.Entry> entries) implements FieldFinder {

    /** Copies the entries. */
    public ByName {
      entries = Map.copyOf(entries);
    }

    private static ByName of(NameMap nameMap) {
      Map<Long, NameMap.Entry> entries = new HashMap<>();
      nameMap.entries().forEach(entry -> collect(entry, entries));
      return new ByName(entries);
    }

    private static void collect(NameMap.Entry entry, Map<Long, NameMap.Entry> entries) {
      entries.put(entry.columnId(), entry);
      entry.children().forEach(child -> collect(child, entries));
    }

    @Override
    public Optional<PhysicalField> find(Column column, PhysicalField parent) {
      return Optional.ofNullable(entries.get(column.id()))
          .filter(entry -> entry.origin() == Origin.FILE_COLUMN)
          .flatMap(entry -> parent.childByName(entry.sourceName()));
    }

    @Override
    public Optional<String> pathKey(Column column) {
      return Optional.ofNullable(entries.get(column.id()))
          .filter(entry -> entry.origin() == Origin.PATH)
          .map(NameMap.Entry::sourceName);
    }
  }

  /**
   * As DuckDB reads a file that has neither ids nor a map: top-level columns by their place, fields
   * of structs by name.
   */
  record ByPosition(List<Long> topLevelIds) implements FieldFinder {

    /** Copies the ids. */
    public ByPosition {
      topLevelIds = List.copyOf(topLevelIds);
    }

    private static ByPosition of(List<Column> columns) {
      return new ByPosition(columns.stream().map(Column::id).toList());
    }

    @Override
    public Optional<PhysicalField> find(Column column, PhysicalField parent) {
      int place = topLevelIds.indexOf(column.id());
      if (place < 0) {
        return parent.childByName(column.name());
      }
      return place < parent.children().size()
          ? Optional.of(parent.children().get(place))
          : Optional.empty();
    }
  }
}
