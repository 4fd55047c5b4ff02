package dev.sluice.catalog.commit;

import dev.sluice.catalog.TableName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a commit says about itself in {@code changes_made} (ducklake-format 2.3): a closed
 * vocabulary, names always quoted, no blanks. Entries stand in DuckDB's own order of kinds. Not
 * thread-safe.
 */
final class ChangeLog {

  private final List<String> droppedSchemas = new ArrayList<>();
  private final List<String> droppedTables = new ArrayList<>();
  private final List<String> createdSchemas = new ArrayList<>();
  private final List<String> createdTables = new ArrayList<>();
  private final List<String> inserted = new ArrayList<>();
  private final List<String> deleted = new ArrayList<>();
  private final List<String> altered = new ArrayList<>();
  private final List<String> inlinedDeletes = new ArrayList<>();

  void droppedSchema(long id) {
    droppedSchemas.add("dropped_schema:" + id);
  }

  void droppedTable(long id) {
    droppedTables.add("dropped_table:" + id);
  }

  void createdSchema(String name) {
    createdSchemas.add("created_schema:" + Names.quoted(name));
  }

  /** Also what a rename is recorded as. */
  void createdTable(TableName name) {
    createdTables.add(
        "created_table:" + Names.quoted(name.schema()) + "." + Names.quoted(name.table()));
  }

  void inserted(long tableId) {
    inserted.add("inserted_into_table:" + tableId);
  }

  void deleted(long tableId) {
    String entry = "deleted_from_table:" + tableId;
    if (!deleted.contains(entry)) {
      deleted.add(entry);
    }
  }

  void altered(long tableId) {
    altered.add("altered_table:" + tableId);
  }

  void inlinedDelete(long tableId) {
    String entry = "inlined_delete:" + tableId;
    if (!inlinedDeletes.contains(entry)) {
      inlinedDeletes.add(entry);
    }
  }

  /** The text to store; null, never empty, when there is nothing to record. */
  @Nullable String text() {
    List<String> all = new ArrayList<>();
    all.addAll(droppedSchemas);
    all.addAll(droppedTables);
    all.addAll(createdSchemas);
    all.addAll(createdTables);
    all.addAll(inserted);
    all.addAll(deleted);
    all.addAll(altered);
    all.addAll(inlinedDeletes);
    return all.isEmpty() ? null : String.join(",", all);
  }
}
