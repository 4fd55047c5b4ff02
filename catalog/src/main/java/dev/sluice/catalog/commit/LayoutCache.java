package dev.sluice.catalog.commit;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.TableDraft.Identity;
import dev.sluice.catalog.commit.TableDraft.Spec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Layouts of schemas and tables as of one schema version, kept between transactions. Every writer
 * raises the schema version when it changes such rows (ducklake-format 2.4), so what was read at a
 * version holds as long as the version does; DuckDB caches by the same rule.
 *
 * <p>Only versions that are committed count: what a transaction of ours reads after it has changed
 * a layout itself is not kept, for it may still be rolled back. Used under the lake's lock by one
 * thread at a time; not thread-safe beyond that.
 */
final class LayoutCache {

  /** What does not change with a table's content. */
  record Layout(
      Identity identity,
      String name,
      List<ColumnRow> columns,
      long nextColumnId,
      Spec spec,
      List<SortKey> sortKeys) {
    Layout {
      columns = List.copyOf(columns);
      sortKeys = List.copyOf(sortKeys);
    }
  }

  private final Map<Long, Layout> layouts = new HashMap<>();
  private @Nullable List<SchemaDraft> schemas;
  private @Nullable Map<Long, String> tableBases;
  private long version = -1;
  private long newestSeen = -1;
  private boolean usable;

  /** Begins a transaction whose newest committed snapshot this is. */
  void begin(Snapshot committed) {
    // a database restored from a backup counts its versions anew
    if (committed.schemaVersion() != version || committed.id() < newestSeen) {
      version = committed.schemaVersion();
      layouts.clear();
      schemas = null;
      tableBases = null;
    }
    newestSeen = committed.id();
    usable = true;
  }

  /** The request at hand builds on this snapshot, which may be one of our own transaction. */
  void buildOn(Snapshot newest) {
    usable = newest.schemaVersion() == version;
  }

  /** Forgets everything, e.g. after a failure. */
  void clear() {
    version = -1;
    layouts.clear();
    schemas = null;
    tableBases = null;
    usable = false;
  }

  List<SchemaDraft> schemas(Supplier<List<SchemaDraft>> load) {
    if (!usable) {
      return load.get();
    }
    if (schemas == null) {
      schemas = List.copyOf(load.get());
    }
    return schemas;
  }

  Optional<Layout> find(long tableId) {
    return usable ? Optional.ofNullable(layouts.get(tableId)) : Optional.empty();
  }

  Optional<Layout> find(long schemaId, String name) {
    if (!usable) {
      return Optional.empty();
    }
    return layouts.values().stream()
        .filter(layout -> layout.identity().schemaId() == schemaId)
        .filter(layout -> Names.same(layout.name(), name))
        .findFirst();
  }

  /** Looks a table up by its full name, where its schema is remembered as well. */
  Optional<Layout> find(TableName name) {
    if (!usable || schemas == null) {
      return Optional.empty();
    }
    return schemas.stream()
        .filter(schema -> Names.same(schema.name(), name.schema()))
        .findFirst()
        .flatMap(schema -> find(schema.id(), name.table()));
  }

  void keep(Layout layout) {
    if (usable) {
      layouts.put(layout.identity().id(), layout);
    }
  }

  Map<Long, String> tableBases(Supplier<Map<Long, String>> load) {
    if (!usable) {
      return load.get();
    }
    if (tableBases == null) {
      tableBases = Map.copyOf(load.get());
    }
    return tableBases;
  }
}
