package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.FileType.Supported;
import dev.sluice.activities.parquet.FileType.Unsupported;
import dev.sluice.activities.parquet.MatchOptions.ExtraColumns;
import dev.sluice.activities.parquet.MatchOptions.MissingColumns;
import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Matches file columns with table columns by name, level by level, and collects the mapping and the
 * statistics of one file.
 */
final class ColumnMatcher {

  private static final String INTERNAL_PREFIX = "_ducklake_internal_";

  private final ParquetFile file;
  private final MatchOptions options;
  private final Set<Long> liveIds;
  private final List<LeafStatistics> statistics = new ArrayList<>();

  ColumnMatcher(ParquetFile file, MatchOptions options, Set<Long> liveIds) {
    this.file = file;
    this.options = options;
    this.liveIds = liveIds;
  }

  /** What was collected so far. */
  List<LeafStatistics> statistics() {
    return statistics;
  }

  /**
   * The fields by lower-case name.
   *
   * @throws ParquetRefusedException if two names differ only in case
   */
  Map<String, FileField> byName(List<FileField> fields) {
    Map<String, FileField> found = new LinkedHashMap<>();
    for (FileField field : fields) {
      FileField other = found.put(lower(field.name()), field);
      if (other != null) {
        throw ParquetErrors.ambiguousColumn(file.key(), other.name(), field.name());
      }
    }
    return found;
  }

  /** Takes the field of a column out of those of its level; null when there is none. */
  static @Nullable FileField take(Map<String, FileField> fields, TargetColumn column) {
    return switch (column.source()) {
      case TargetColumn.Source.Name(String name) -> fields.remove(lower(name));
      case TargetColumn.Source.FieldId(int id) -> {
        FileField found =
            fields.values().stream()
                .filter(field -> field.fieldId() != null && field.fieldId() == id)
                .findFirst()
                .orElse(null);
        if (found != null) {
          fields.remove(lower(found.name()));
        }
        yield found;
      }
    };
  }

  /**
   * Matches a file column with a table column of the same name.
   *
   * @param path names in the table down to and including the column
   */
  MappedField match(FileField field, TargetColumn column, List<String> path) {
    checkFieldId(field, column, path);
    Supported type =
        switch (field.type()) {
          case Unsupported(String found, String reason) ->
              throw ParquetErrors.unsupportedColumn(file.key(), dotted(path), found, reason);
          case Supported supported -> supported;
        };
    if (!TypeRules.accepts(column.type(), type)) {
      throw ParquetErrors.typeMismatch(
          file.key(), dotted(path), column.typeText(), field.typeText());
    }
    if (field.isLeaf()) {
      // a column of typeless NULLs fits nested columns too, which have no statistics of their own
      if (!(column.type() instanceof Nested)) {
        statistics.add(leaf(file.facts(field), type, column.type(), path));
      }
      return mapped(field.name(), column, List.of());
    }
    return switch (column.type()) {
      case Nested nested ->
          switch (nested) {
            case STRUCT -> mapped(field.name(), column, struct(field, column, path));
            case LIST ->
                mapped(field.name(), column, List.of(part(0, field, column, path).asListElement()));
            case MAP ->
                mapped(
                    field.name(),
                    column,
                    List.of(part(0, field, column, path), part(1, field, column, path)));
          };
      case ColumnType leaf ->
          throw ParquetErrors.typeMismatch(
              file.key(), dotted(path), column.typeText(), field.typeText());
    };
  }

  private static MappedField mapped(
      String source, TargetColumn column, List<MappedField> children) {
    return new MappedField(source, column.name(), Origin.FILE_COLUMN, children);
  }

  private MappedField part(int index, FileField field, TargetColumn column, List<String> path) {
    TargetColumn child = column.children().get(index);
    return match(field.children().get(index), child, below(path, child));
  }

  private List<MappedField> struct(FileField field, TargetColumn column, List<String> path) {
    Map<String, FileField> byName = byName(field.children());
    List<MappedField> mapped = new ArrayList<>();
    for (TargetColumn child : column.children()) {
      FileField found = take(byName, child);
      if (found != null) {
        mapped.add(match(found, child, below(path, child)));
      } else if (options.missingColumns() == MissingColumns.REFUSE) {
        throw ParquetErrors.missingColumn(file.key(), dotted(below(path, child)));
      }
    }
    for (FileField extra : byName.values()) {
      refuseExtra(dotted(path) + "." + extra.name());
    }
    if (mapped.isEmpty()) {
      throw ParquetErrors.missingColumn(file.key(), dotted(path) + ".*");
    }
    return mapped;
  }

  /**
   * Refuses a column that the table lacks, unless the options ignore it. DuckLake's own columns are
   * never ignored: readers find them by name and would take row ids and snapshots from them.
   */
  void refuseExtra(String column) {
    if (lower(column).startsWith(INTERNAL_PREFIX)) {
      throw ParquetErrors.internalColumn(file.key(), column);
    }
    if (options.extraColumns() == ExtraColumns.REFUSE) {
      throw ParquetErrors.extraColumn(file.key(), column);
    }
  }

  /**
   * An id that is not live and older than the column of that name was given to a column that has
   * been dropped: the file is of the time before, and its values would come back to life (REG-03).
   */
  private void checkFieldId(FileField field, TargetColumn column, List<String> path) {
    Integer fieldId = field.fieldId();
    Long columnId = column.id();
    if (fieldId != null
        && columnId != null
        && fieldId > 0
        && fieldId < columnId
        && !liveIds.contains(fieldId.longValue())) {
      throw ParquetErrors.staleFieldId(file.key(), dotted(path), fieldId, columnId);
    }
  }

  private static LeafStatistics leaf(
      LeafFacts facts, Supported type, ColumnType column, List<String> path) {
    Spelling.Spelled bounds = bounds(facts, type, column);
    boolean floating = column == Scalar.FLOAT32 || column == Scalar.FLOAT64;
    return new LeafStatistics(
        path,
        facts.sizeBytes(),
        facts.values(),
        facts.nulls(),
        bounds == null ? null : bounds.min(),
        bounds == null ? null : bounds.max(),
        floating ? facts.containsNan() : null,
        null);
  }

  private static Spelling.@Nullable Spelled bounds(
      LeafFacts facts, Supported type, ColumnType column) {
    if (facts.range() == null || !BoundText.isOrdered(column)) {
      return null;
    }
    Spelling.Spelled bounds = Spelling.range(facts.range(), type.type(), column);
    return bounds != null && isRange(column, bounds) ? bounds : null;
  }

  /** The last check before text reaches the catalog: readers must be able to parse and order it. */
  private static boolean isRange(ColumnType column, Spelling.Spelled bounds) {
    OptionalInt order = BoundText.compare(column, bounds.min(), bounds.max());
    return order.isPresent() && order.getAsInt() <= 0;
  }

  private static List<String> below(List<String> path, TargetColumn child) {
    List<String> longer = new ArrayList<>(path);
    longer.add(child.name());
    return longer;
  }

  static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static String dotted(List<String> path) {
    return String.join(".", path);
  }
}
