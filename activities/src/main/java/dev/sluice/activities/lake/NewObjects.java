package dev.sluice.activities.lake;

import dev.sluice.activities.storage.DeleteResult;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.catalog.Table;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects that one plan of a write has stored. They are removed again when it is sure that
 * nothing names them, and only then. For one thread at a time.
 */
final class NewObjects {

  private static final Logger LOG = LoggerFactory.getLogger(NewObjects.class);

  /** Folders below a table's own, so that what a person finds there explains itself. */
  static final String DATA = "data/";

  static final String DELETES = "deletes/";

  private final ObjectStore store;
  private final String tableKey;
  private final List<String> keys = new ArrayList<>();

  NewObjects(String doing, ObjectStore store, Table table) {
    this.store = store;
    this.tableKey =
        store
            .location()
            .keyOf(table.path())
            .orElseThrow(
                () -> WriteErrors.outsideStore(doing, table.path(), store.location().uri()));
  }

  ObjectStore store() {
    return store;
  }

  /** A key below the table's folder; from now on its object belongs to this write. */
  String key(String name) {
    String key = tableKey + name;
    keys.add(key);
    return key;
  }

  /** Full paths of the write's objects, as the catalog would name them. */
  List<String> uris() {
    return keys.stream().map(store::uri).toList();
  }

  /** Removes everything. What cannot be removed is nobody's, and the lake's clean-up finds it. */
  void remove() {
    try {
      DeleteResult result = store.delete(keys);
      result
          .failures()
          .forEach(failure -> LOG.warn("left behind key={} reason={}", failure.key(), failure));
    } catch (StorageException e) {
      LOG.warn("left behind {} objects below {}", keys.size(), tableKey, e);
    }
    keys.clear();
  }
}
