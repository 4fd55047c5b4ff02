package dev.sluice.catalog.read;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The newest snapshots of a lake, and what is behind the numbers in their changes. Immutable. */
public final class SnapshotListing {

  private final List<SnapshotEntry> entries;
  private final long all;
  private final Map<Long, NavigableMap<Long, String>> names;

  SnapshotListing(
      List<SnapshotEntry> entries, long all, Map<Long, NavigableMap<Long, String>> names) {
    this.entries = List.copyOf(entries);
    this.all = all;
    Map<Long, NavigableMap<Long, String>> copies = new HashMap<>();
    names.forEach((id, ofObject) -> copies.put(id, new TreeMap<>(ofObject)));
    this.names = Map.copyOf(copies);
  }

  /** The snapshots, newest first. */
  public List<SnapshotEntry> entries() {
    return entries;
  }

  /** How many snapshots there are altogether. */
  public long all() {
    return all;
  }

  /**
   * The name that a table, view or schema had at a snapshot, or before it when it was dropped
   * there.
   *
   * @return empty when nothing is known of it any more
   */
  public Optional<String> name(long objectId, long snapshotId) {
    NavigableMap<Long, String> ofObject = names.get(objectId);
    if (ofObject == null) {
      return Optional.empty();
    }
    Map.Entry<Long, String> then = ofObject.floorEntry(snapshotId);
    return Optional.of((then == null ? ofObject.firstEntry() : then).getValue());
  }
}
