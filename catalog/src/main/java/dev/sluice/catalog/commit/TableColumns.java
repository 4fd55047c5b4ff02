package dev.sluice.catalog.commit;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.error.CatalogErrors;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The open columns of one table while a commit changes them. Parents come before their children.
 * Not thread-safe.
 */
final class TableColumns {

  private final String table;
  private final Map<Long, ColumnRow> stored = new LinkedHashMap<>();
  private final Map<Long, ColumnRow> current = new LinkedHashMap<>();
  private final Map<Long, Long> recreated = new LinkedHashMap<>();
  private long nextId;

  /**
   * @param nextId above every id the table ever had
   */
  TableColumns(String table, Collection<ColumnRow> rows, long nextId) {
    this.table = table;
    this.nextId = nextId;
    rows.forEach(
        row -> {
          stored.put(row.id(), row);
          current.put(row.id(), row);
        });
  }

  /** The columns of a table that is made now; ids are given depth first, from 1. */
  static TableColumns created(String table, List<ColumnSpec> specs) {
    TableColumns columns = new TableColumns(table, List.of(), 1);
    specs.forEach(spec -> columns.insert(null, spec));
    return columns;
  }

  Collection<ColumnRow> all() {
    return current.values();
  }

  boolean isChanged() {
    return !stored.equals(current);
  }

  /** Rows to end: gone, or replaced by another version of themselves. */
  List<ColumnRow> ended() {
    return stored.values().stream().filter(row -> !row.equals(current.get(row.id()))).toList();
  }

  /** Rows to insert. */
  List<ColumnRow> begun() {
    return current.values().stream().filter(row -> !row.equals(stored.get(row.id()))).toList();
  }

  List<ColumnRow> children(@Nullable Long parent) {
    return current.values().stream()
        .filter(row -> parent == null ? row.parent() == null : parent.equals(row.parent()))
        .toList();
  }

  Optional<ColumnRow> find(@Nullable Long parent, String name) {
    return children(parent).stream().filter(row -> Names.same(row.name(), name)).findFirst();
  }

  Optional<ColumnRow> find(List<String> path) {
    Optional<ColumnRow> found = Optional.empty();
    Long parent = null;
    for (String name : path) {
      found = find(parent, name);
      if (found.isEmpty()) {
        return found;
      }
      parent = found.get().id();
    }
    return found;
  }

  ColumnRow require(List<String> path) {
    return find(path)
        .orElseThrow(
            () ->
                CatalogErrors.invalid(
                    "table " + table,
                    "has no column " + String.join(".", path),
                    "it never existed or was dropped",
                    "check the name"));
  }

  void add(@Nullable Long parent, ColumnSpec spec) {
    DefaultCheck.requireValue(table, spec);
    insert(parent, spec);
  }

  private void insert(@Nullable Long parent, ColumnSpec spec) {
    if (find(parent, spec.name()).isPresent()) {
      throw CatalogErrors.invalid(
          "table " + table,
          "cannot have a second column " + spec.name(),
          "names are compared without regard to case",
          "choose another name");
    }
    Names.requireColumn(table, spec.name(), parent == null);
    DefaultCheck.requireUsable(table, spec);
    requireChildren(spec);
    long id = nextId++;
    current.put(id, ColumnRow.of(id, parent, spec));
    spec.children().forEach(child -> insert(id, child));
  }

  private void requireChildren(ColumnSpec spec) {
    boolean fits =
        switch (spec.type()) {
          case ColumnType.Nested.STRUCT -> !spec.children().isEmpty();
          case ColumnType.Nested.LIST -> childNames(spec).equals(List.of("element"));
          case ColumnType.Nested.MAP -> childNames(spec).equals(List.of("key", "value"));
          case ColumnType.Scalar scalar -> spec.children().isEmpty();
          case ColumnType.Decimal decimal -> spec.children().isEmpty();
        };
    if (!fits) {
      throw CatalogErrors.invalid(
          "table " + table,
          "column %s of type %s cannot have the children %s"
              .formatted(spec.name(), spec.type().text(), childNames(spec)),
          "a struct needs at least one, a list 'element', a map 'key' and 'value', others none",
          "correct the column's description");
    }
  }

  private static List<String> childNames(ColumnSpec spec) {
    return spec.children().stream().map(ColumnSpec::name).toList();
  }

  /** Refuses to touch the fixed children of a list or map, or to give a scalar children. */
  void requireStruct(@Nullable Long parent, String doing) {
    ColumnRow holder = parent == null ? null : current.get(parent);
    if (holder != null && holder.type() != ColumnType.Nested.STRUCT) {
      throw CatalogErrors.invalid(
          "table " + table,
          doing,
          "column %s is no struct but %s".formatted(holder.name(), holder.type().text()),
          "only the fields of a struct can be added, dropped and renamed");
    }
  }

  void rename(ColumnRow row, String newName) {
    requireStruct(row.parent(), "column %s cannot be renamed".formatted(row.name()));
    Optional<ColumnRow> other = find(row.parent(), newName);
    if (other.isPresent() && other.get().id() != row.id()) {
      throw CatalogErrors.invalid(
          "table " + table,
          "column %s cannot be renamed to %s".formatted(row.name(), newName),
          "there is a column of that name",
          "choose another name");
    }
    Names.requireColumn(table, newName, row.parent() == null);
    current.put(row.id(), row.renamed(newName));
  }

  void retype(ColumnRow row, ColumnType newType) {
    current.put(row.id(), row.retyped(newType));
  }

  /** NULL is allowed from now on. */
  ColumnRow allowNulls(ColumnRow row) {
    ColumnRow relaxed = row.withNulls(true);
    set(relaxed);
    return relaxed;
  }

  /** The column of that id becomes this. */
  void set(ColumnRow row) {
    current.put(row.id(), row);
  }

  /** Removes the column and everything below it. */
  void drop(ColumnRow row) {
    children(row.id()).forEach(this::drop);
    current.remove(row.id());
  }

  /** Drops the column and adds another in its place, which keeps the comments. */
  void recreate(ColumnRow row, ColumnSpec spec) {
    drop(row);
    recreated.put(row.id(), nextId);
    add(row.parent(), spec);
  }

  /** Ids of columns that were made again, by the id they had. */
  Map<Long, Long> recreated() {
    return recreated;
  }

  List<ColumnRow> leaves() {
    List<ColumnRow> leaves = new ArrayList<>();
    current.values().stream().filter(ColumnRow::isLeaf).forEach(leaves::add);
    return leaves;
  }
}
