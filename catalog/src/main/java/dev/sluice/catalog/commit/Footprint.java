package dev.sluice.catalog.commit;

import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.internal.TableBases;
import dev.sluice.catalog.internal.TableBases.Folder;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What requests will touch, as far as remembered layouts foretell it: facts about it are read
 * ahead, and requests that touch nothing in common are planned and written together. Not
 * thread-safe.
 */
final class Footprint {

  private final LayoutCache cache;
  private final Set<Long> appended = new HashSet<>();
  private final Set<Long> replaced = new HashSet<>();
  private final Set<String> paths = new HashSet<>();
  private final Set<String> keys = new HashSet<>();
  private boolean whole = true;

  /** What no request touches. */
  Footprint(LayoutCache cache) {
    this.cache = cache;
  }

  /** What one request will touch. */
  static Footprint of(CommitRequest request, LayoutCache cache) {
    Footprint print = new Footprint(cache);
    if (request.idempotencyKey() != null) {
      print.keys.add(request.idempotencyKey());
    }
    request.changes().forEach(print::add);
    return print;
  }

  private void add(Change change) {
    switch (change) {
      case Change.AddDataFiles add -> add(tableId(add.table()), appended, add.files());
      case Change.ReplaceContent replace -> add(tableId(replace.name()), replaced, replace.files());
      case Change.CreateSchema any -> whole = false;
      case Change.DropSchema any -> whole = false;
      case Change.CreateTable any -> whole = false;
      case Change.RenameTable any -> whole = false;
      case Change.DropTable any -> whole = false;
      case Change.AddColumn any -> whole = false;
      case Change.DropColumn any -> whole = false;
      case Change.RenameColumn any -> whole = false;
      case Change.RetypeColumn any -> whole = false;
      case Change.SetPartitioning any -> whole = false;
      case Change.SetSortOrder any -> whole = false;
      case Change.SetComment any -> whole = false;
      case Change.SetDefault any -> whole = false;
      case Change.SetNulls any -> whole = false;
      case Change.AddDeleteFiles any -> whole = false;
      case Change.DeleteInCatalog any -> whole = false;
      case Change.EndDataFiles any -> whole = false;
      case Change.EndInlinedRows any -> whole = false;
      case Change.RequireUnchanged any -> whole = false;
    }
  }

  private void add(Optional<Long> tableId, Set<Long> tables, List<NewDataFile> files) {
    if (tableId.isPresent()) {
      tables.add(tableId.get());
      files.forEach(file -> paths.add(file.path()));
    } else {
      whole = false;
    }
  }

  private Optional<Long> tableId(TableRef ref) {
    return switch (ref) {
      case TableRef.ById(long id) -> cache.find(id).map(layout -> id);
      case TableRef.ByName(TableName name) -> tableId(name);
    };
  }

  private Optional<Long> tableId(TableName name) {
    return cache.find(name).map(layout -> layout.identity().id());
  }

  /** Whether this is all that is touched. */
  boolean isWhole() {
    return whole;
  }

  boolean isDisjointFrom(Footprint other) {
    return Collections.disjoint(tables(), other.tables())
        && Collections.disjoint(paths, other.paths)
        && Collections.disjoint(keys, other.keys);
  }

  private Set<Long> tables() {
    Set<Long> tables = new HashSet<>(appended);
    tables.addAll(replaced);
    return tables;
  }

  void addAll(Footprint other) {
    appended.addAll(other.appended);
    replaced.addAll(other.replaced);
    paths.addAll(other.paths);
    keys.addAll(other.keys);
    whole &= other.whole;
  }

  /** Adds what planning will want to know to a round trip. */
  void ask(RoundTrip trip, StoredFacts facts, OpenTransaction transaction) {
    facts.askTables(trip, tables());
    facts.askLiveFiles(trip, replaced);
    facts.askInlinedDeletes(trip, replaced);
    if (!paths.isEmpty()) {
      String dataPath = transaction.lake().dataPath();
      Map<Long, String> bases =
          cache.tableBases(() -> TableBases.load(transaction.dsl(), dataPath));
      Optional<Folder> folder =
          paths.size() < LiveContent.MANY_PATHS
              ? Optional.empty()
              : TableBases.commonFolder(paths, bases);
      folder.ifPresentOrElse(
          one -> facts.askBelow(trip, one),
          () -> facts.askPaths(trip, TableBases.spellings(paths, new HashSet<>(bases.values()))));
    }
  }
}
