package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.landing.LandedDeletes;
import dev.sluice.activities.landing.LandedFacts;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.parquet.StoredFooters;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.SnapshotNotFoundException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a table was at the snapshot of a publication, by the catalog. Immutable. */
final class RestoredContent {

  /**
   * Columns in which DuckDB keeps what a merged file cannot say otherwise (ducklake-format 6.3).
   */
  private static final String INTERNAL_PREFIX = "_ducklake_internal_";

  private final LakeAccess lake;
  private final Publication publication;
  private final Table table;
  private final List<ScanFile> files;
  private final Failures failures;

  /**
   * A file to bring back.
   *
   * @param file as the ledger will list it, with the fresh key
   * @param object key of the object it is copied from
   */
  record Item(LedgerFile file, String object) {}

  private RestoredContent(
      LakeAccess lake,
      Publication publication,
      Table table,
      List<ScanFile> files,
      Failures failures) {
    this.lake = lake;
    this.publication = publication;
    this.table = table;
    this.files = List.copyOf(files);
    this.failures = failures;
  }

  /** Finds it; empty when the snapshot has expired. */
  static Optional<RestoredContent> find(
      LakeAccess lake, Publication publication, Failures failures) {
    Snapshot snapshot;
    try {
      snapshot = lake.catalog().reader().snapshot(publication.snapshotId());
    } catch (SnapshotNotFoundException expired) {
      return Optional.empty();
    }
    return lake.catalog()
        .reader()
        .view(snapshot)
        // by its id: it may have had another name then
        .findTable(publication.tableId())
        .map(
            table ->
                new RestoredContent(
                    lake,
                    publication,
                    table,
                    lake.catalog().reader().plan(snapshot, table, Predicate.all()).files(),
                    failures));
  }

  long snapshotId() {
    return publication.snapshotId();
  }

  /** The table as it was. */
  Table table() {
    return table;
  }

  /** Refuses content that cannot be copied file by file. */
  void requireWhole() throws InterruptedException {
    List<String> unknown = new ArrayList<>();
    Map<String, LandingFiles.Published> known = known();
    for (ScanFile file : files) {
      String object = key(file);
      if (!file.isWhole() && !isAsPublished(file, known.get(object))) {
        throw failures.refused(
            RestoreErrors.notWhole(name(), publication.generation(), file.path()));
      }
      if (!known.containsKey(object)) {
        unknown.add(object);
      }
    }
    for (ParquetFile footer :
        new ParquetFooters(new StoredFooters(lake.store())).readAll(unknown, (read, total) -> {})) {
      boolean merged =
          footer.schema().fields().stream()
              .anyMatch(field -> field.name().startsWith(INTERNAL_PREFIX));
      if (merged) {
        throw failures.refused(
            RestoreErrors.merged(name(), publication.generation(), lake.store().uri(footer.key())));
      }
    }
  }

  /** Whether its rows are those that were published: all but what its own delete file says. */
  private boolean isAsPublished(ScanFile file, LandingFiles.@Nullable Published known) {
    if (known == null || !file.inlinedDeletes().isEmpty() || file.newestRowSnapshot() != null) {
      return false;
    }
    List<String> published =
        LandedDeletes.of(known.file()).stream()
            .map(deletes -> lake.store().uri(deletes.objectKey()))
            .toList();
    return file.deleteFiles().stream().map(ScanFile.DeleteFile::path).toList().equals(published);
  }

  private Map<String, LandingFiles.Published> known() {
    Map<String, LandingFiles.Published> known = new HashMap<>();
    lake.state()
        .read(dsl -> LandingFiles.published(dsl, publication.target(), publication.generation()))
        .forEach(each -> known.put(each.file().objectKey(), each));
    return known;
  }

  private String name() {
    return publication.target().schema() + "." + publication.target().table();
  }

  private String key(ScanFile file) {
    return lake.store()
        .location()
        .keyOf(file.path())
        .orElseThrow(
            () ->
                failures.refused(
                    RestoreErrors.outside(name(), publication.generation(), file.path())));
  }

  /**
   * The files with their fresh keys below a landing. A file that the ledger knows keeps the tail of
   * its path, which may hold partition values, and its source key, by which a later generation
   * finds it unchanged.
   */
  List<Item> items(String landingId) {
    Map<String, LandingFiles.Published> known = known();
    List<Item> items = new ArrayList<>(files.size());
    for (ScanFile file : files) {
      String object = key(file);
      LandingFiles.Published before = known.get(object);
      items.add(
          new Item(
              before == null
                  ? LedgerFile.listed(
                      object, file.fileSizeBytes(), null, null, landingId + tail(file, object))
                  : known(before, landingId),
              object));
    }
    return items;
  }

  private static LedgerFile known(LandingFiles.Published before, String landingId) {
    LedgerFile file = before.file();
    LedgerFile listed =
        LedgerFile.listed(
            file.sourceKey(),
            file.sizeBytes(),
            file.checksum(),
            file.modifiedAt(),
            landingId + file.landedPath().substring(before.landingId().length()));
    String plan = file.plan();
    return plan == null ? listed : listed.planned(plan);
  }

  /** How planned files landed, for their fresh copies: delete files get fresh keys as well. */
  List<LandingFiles.Planned> landed(String landingId) {
    List<LandingFiles.Planned> landed = new ArrayList<>();
    Map<String, LandingFiles.Published> known = known();
    for (ScanFile file : files) {
      String object = key(file);
      LandingFiles.Published before = known.get(object);
      LedgerFile.Landed facts = before == null ? null : before.file().landed();
      if (before != null && facts != null) {
        landed.add(
            new LandingFiles.Planned(
                before.file().sourceKey(),
                object,
                new LedgerFile.Landed(
                    facts.bytes(),
                    facts.deletedRows(),
                    LandedFacts.parse(facts.facts())
                        .movedTo(landingId, before.file().sourceKey())
                        .text())));
      }
    }
    return landed;
  }

  /** What the version was that the files are of; empty where they were landed as listed. */
  Optional<String> plan() {
    return known().values().stream()
        .findFirst()
        .flatMap(
            each ->
                lake.state()
                    .read(
                        dsl ->
                            LandingLedger.findPlan(
                                dsl, new LandingLedger.Key(lake.key(), each.landingId()))));
  }

  /**
   * Partition folders and a name of its own, for a file that somebody else wrote, as by merging.
   */
  private static String tail(ScanFile file, String object) {
    List<String> segments = Arrays.asList(object.split("/"));
    String folders =
        segments.subList(0, segments.size() - 1).stream()
            .filter(segment -> segment.indexOf('=') > 0)
            .map(segment -> segment + "/")
            .collect(Collectors.joining());
    return folders + file.dataFileId() + "-" + segments.get(segments.size() - 1);
  }

  /** Key of the object to copy by source key. */
  static Map<String, String> objects(List<Item> items) {
    return items.stream().collect(Collectors.toMap(item -> item.file().sourceKey(), Item::object));
  }
}
