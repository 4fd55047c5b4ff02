package dev.sluice.catalog.commit;

import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.InlinedDelete;
import dev.sluice.catalog.commit.Change.NewDeleteFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One table while a commit changes it: what is stored, and what shall be. Not thread-safe. */
final class TableDraft {

  /** Identity and place, which no change touches. */
  record Identity(
      long id, UUID uuid, long schemaId, String schemaName, String path, StoredPath storedPath) {}

  /** A path as its row holds it. */
  record StoredPath(String path, boolean relative) {}

  /** One key of the open partition spec. */
  record SpecKey(long columnId, PartitionTransform transform) {}

  /** The open partition spec; the id is null when the table never had one. */
  record Spec(@Nullable Long id, List<SpecKey> keys) {
    Spec {
      keys = List.copyOf(keys);
    }
  }

  /** {@code ducklake_table_stats} as stored. */
  record Stats(long recordCount, long nextRowId, long fileSizeBytes) {}

  /** How the live content is treated. */
  enum Content {
    KEEP,
    REPLACE
  }

  private final Identity identity;
  private final boolean created;
  private final String storedName;
  private final TableColumns columns;
  private final @Nullable Stats stats;
  private final Map<Long, @Nullable String> columnComments = new LinkedHashMap<>();
  private final List<NewDataFile> newFiles = new ArrayList<>();
  private final List<NewDeleteFile> newDeletes = new ArrayList<>();
  private final List<InlinedDelete> inlinedDeletes = new ArrayList<>();
  private final List<Long> endedFiles = new ArrayList<>();
  private final List<Long> endedInlinedRows = new ArrayList<>();
  private final List<Long> keptFiles = new ArrayList<>();
  private final List<Long> keptDeletes = new ArrayList<>();
  private String name;
  private Spec spec;
  private boolean specChanged;
  private List<SortKey> sortKeys;
  private boolean sortChanged;
  private boolean commentChanged;
  private @Nullable String comment;
  private boolean dropped;
  private Content content = Content.KEEP;
  private long keptRows;
  private long keptPositions;
  private @Nullable String replacedForeign;

  /** A table that is stored. */
  static TableDraft stored(
      Identity identity,
      String name,
      TableColumns columns,
      Spec spec,
      @Nullable Stats stats,
      List<SortKey> sortKeys) {
    return new TableDraft(identity, false, name, columns, spec, stats, sortKeys);
  }

  /** A table that this commit makes. */
  static TableDraft created(Identity identity, String name, TableColumns columns) {
    return new TableDraft(
        identity, true, name, columns, new Spec(null, List.of()), null, List.of());
  }

  private TableDraft(
      Identity identity,
      boolean created,
      String name,
      TableColumns columns,
      Spec spec,
      @Nullable Stats stats,
      List<SortKey> sortKeys) {
    this.identity = identity;
    this.created = created;
    this.storedName = name;
    this.name = name;
    this.columns = columns;
    this.spec = spec;
    this.stats = stats;
    this.sortKeys = List.copyOf(sortKeys);
  }

  long id() {
    return identity.id();
  }

  Identity identity() {
    return identity;
  }

  String name() {
    return name;
  }

  TableName qualifiedName() {
    return new TableName(identity.schemaName(), name);
  }

  boolean isCreated() {
    return created;
  }

  boolean isDropped() {
    return dropped;
  }

  boolean isRenamed() {
    return !created && !name.equals(storedName);
  }

  void rename(String newName) {
    name = newName;
  }

  void drop() {
    dropped = true;
  }

  TableColumns columns() {
    return columns;
  }

  Spec spec() {
    return spec;
  }

  boolean isSpecChanged() {
    return specChanged;
  }

  void partitionBy(Spec newSpec) {
    spec = newSpec;
    specChanged = true;
  }

  @Nullable Stats stats() {
    return stats;
  }

  /** The open sort order; empty when there is none. */
  List<SortKey> sortKeys() {
    return sortKeys;
  }

  boolean isSortChanged() {
    return sortChanged;
  }

  void sortBy(List<SortKey> keys) {
    sortKeys = List.copyOf(keys);
    sortChanged = true;
  }

  /** Sets or, with null, removes the table's comment. */
  void comment(@Nullable String newComment) {
    comment = newComment;
    commentChanged = true;
  }

  boolean isCommentChanged() {
    return commentChanged;
  }

  /** What the comment becomes; means something only if it is changed. */
  @Nullable String comment() {
    return comment;
  }

  /** Comments to set, or with null to remove, by column id. */
  Map<Long, @Nullable String> columnComments() {
    return columnComments;
  }

  Content content() {
    return content;
  }

  /** The files become the whole content; what changes before this one added goes as well. */
  void replaceContent(LiveContent.Split files) {
    content = Content.REPLACE;
    keptFiles.clear();
    keptFiles.addAll(files.kept());
    keptRows = files.keptRows();
    newFiles.clear();
    newFiles.addAll(files.added());
    newDeletes.clear();
    inlinedDeletes.clear();
    endedFiles.clear();
    endedInlinedRows.clear();
    newDeletes.addAll(files.deletes());
    keptDeletes.clear();
    keptDeletes.addAll(files.keptDeletes());
    keptPositions = files.keptPositions();
  }

  /** Data files that stay open together with their delete files. */
  List<Long> keptDeletes() {
    return keptDeletes;
  }

  /** Positions in the delete files that stay open. */
  long keptPositions() {
    return keptPositions;
  }

  /** Rows of the files whose rows in the catalog stay open, deleted ones included. */
  long keptRows() {
    return keptRows;
  }

  /** What others did to the table and this commit drops by policy; null when there is nothing. */
  @Nullable String replacedForeign() {
    return replacedForeign;
  }

  void noteReplaced(@Nullable String foreign) {
    if (foreign != null) {
      replacedForeign = foreign;
    }
  }

  List<Long> keptFiles() {
    return keptFiles;
  }

  List<NewDataFile> newFiles() {
    return newFiles;
  }

  /** Rows of live data files that are deleted inside the catalog. */
  List<InlinedDelete> inlinedDeletes() {
    return inlinedDeletes;
  }

  /** Live data files that end. */
  List<Long> endedFiles() {
    return endedFiles;
  }

  /** Ids of live rows inside the catalog that end. */
  List<Long> endedInlinedRows() {
    return endedInlinedRows;
  }

  List<NewDeleteFile> newDeletes() {
    return newDeletes;
  }

  /** Whether readers must read the catalog anew, though rows lie as they lay. */
  boolean isDescriptionChanged() {
    return sortChanged || commentChanged || !columnComments.isEmpty();
  }

  /** Whether readers must see another layout of the table. */
  boolean isLayoutChanged() {
    return columns.isChanged() || specChanged || isRenamed();
  }
}
