package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.FileType.Storage;
import dev.sluice.activities.parquet.FileType.Supported;
import dev.sluice.activities.parquet.FileType.Unsupported;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.Nulls;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A column of a union of files while it grows. Not thread-safe. */
final class UnionColumn {

  private final String name;
  private final String path;
  private final Map<String, UnionColumn> children = new LinkedHashMap<>();
  private ColumnType type;
  private boolean onlyNulls;
  private String typeText;
  private String typedBy;

  private UnionColumn(ParquetFile file, FileField field, String path, Supported type) {
    this.name = field.name();
    this.path = path;
    this.type = type.type();
    this.onlyNulls = type.storage() == Storage.ALL_NULL;
    this.typeText = field.typeText();
    this.typedBy = file.key();
    addAll(children, file, field.children(), path + ".");
  }

  /** Unites fields of one level with what is known of that level. */
  static void addAll(
      Map<String, UnionColumn> columns, ParquetFile file, List<FileField> fields, String prefix) {
    Set<String> seen = new HashSet<>();
    for (FileField field : fields) {
      String key = ColumnMatcher.lower(field.name());
      UnionColumn known = columns.get(key);
      if (!seen.add(key)) {
        throw ParquetErrors.ambiguousColumn(
            file.key(), known == null ? field.name() : known.name, field.name());
      }
      Supported type = supported(file, field, prefix + field.name());
      if (known == null) {
        columns.put(key, new UnionColumn(file, field, prefix + field.name(), type));
      } else {
        known.add(file, field, type);
      }
    }
  }

  private static Supported supported(ParquetFile file, FileField field, String path) {
    return switch (field.type()) {
      case Unsupported(String found, String reason) ->
          throw ParquetErrors.unsupportedColumn(file.key(), path, found, reason);
      case Supported supported -> supported;
    };
  }

  private void add(ParquetFile file, FileField field, Supported fieldType) {
    if (fieldType.storage() == Storage.ALL_NULL) {
      return;
    }
    ColumnType united = onlyNulls ? fieldType.type() : TypeRules.union(type, fieldType.type());
    if (united == null) {
      throw ParquetErrors.conflictingTypes(file.key(), path, field.typeText(), typedBy, typeText);
    }
    if (onlyNulls || !united.equals(type)) {
      typeText = field.typeText();
      typedBy = file.key();
    }
    onlyNulls = false;
    type = united;
    addAll(children, file, field.children(), path + ".");
  }

  String name() {
    return name;
  }

  ColumnSpec spec() {
    List<ColumnSpec> specs = children.values().stream().map(UnionColumn::spec).toList();
    return type instanceof Nested nested
        ? ColumnSpec.nested(name, nested, specs)
        : new ColumnSpec(name, type, Nulls.ALLOWED, null, List.of());
  }
}
