package dev.sluice.activities.parquet;

import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectTail;

/** Footers of the objects of a store. */
public final class StoredFooters implements FooterSource {

  private final ObjectStore store;

  /** Reads from the store; keys are its keys. */
  public StoredFooters(ObjectStore store) {
    this.store = store;
  }

  @Override
  public Tail tail(String key, int length) {
    ObjectTail tail = store.tail(key, length);
    return new Tail(tail.bytes(), tail.sizeBytes());
  }

  @Override
  public byte[] read(String key, long offset, int length) {
    return store.read(key, offset, length);
  }
}
