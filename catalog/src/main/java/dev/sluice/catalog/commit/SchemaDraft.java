package dev.sluice.catalog.commit;

import java.util.UUID;

/** One schema while a commit changes it. Not thread-safe. */
final class SchemaDraft {

  private final long id;
  private final UUID uuid;
  private final String name;
  private final String path;
  private final TableDraft.StoredPath storedPath;
  private final boolean created;
  private boolean dropped;

  SchemaDraft(
      long id,
      UUID uuid,
      String name,
      String path,
      TableDraft.StoredPath storedPath,
      boolean created) {
    this.id = id;
    this.uuid = uuid;
    this.name = name;
    this.path = path;
    this.storedPath = storedPath;
    this.created = created;
  }

  /** A draft of its own of the same stored schema. */
  SchemaDraft copy() {
    return new SchemaDraft(id, uuid, name, path, storedPath, created);
  }

  long id() {
    return id;
  }

  UUID uuid() {
    return uuid;
  }

  String name() {
    return name;
  }

  /** Fully resolved, with a slash at its end. */
  String path() {
    return path;
  }

  TableDraft.StoredPath storedPath() {
    return storedPath;
  }

  boolean isCreated() {
    return created;
  }

  boolean isDropped() {
    return dropped;
  }

  void drop() {
    dropped = true;
  }
}
