package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_NAME_MAPPING;

import dev.sluice.catalog.FileMapping.Origin;
import java.util.List;
import java.util.Objects;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Builds a name map from its flat rows. */
final class NameMapTree {

  private NameMapTree() {}

  static NameMap of(long id, List<Record> rows) {
    return new NameMap(id, children(null, rows));
  }

  private static List<NameMap.Entry> children(@Nullable Long parent, List<Record> rows) {
    return rows.stream()
        .filter(row -> Objects.equals(row.get(DUCKLAKE_NAME_MAPPING.PARENT_COLUMN), parent))
        .map(
            row ->
                new NameMap.Entry(
                    row.get(DUCKLAKE_NAME_MAPPING.SOURCE_NAME),
                    row.get(DUCKLAKE_NAME_MAPPING.TARGET_FIELD_ID),
                    Boolean.TRUE.equals(row.get(DUCKLAKE_NAME_MAPPING.IS_PARTITION))
                        ? Origin.PATH
                        : Origin.FILE_COLUMN,
                    children(row.get(DUCKLAKE_NAME_MAPPING.COLUMN_ID), rows)))
        .toList();
  }
}
