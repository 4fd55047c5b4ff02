package dev.sluice.activities.landing;

import dev.sluice.activities.delta.DeltaDeletes;
import dev.sluice.activities.delta.DeltaException;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.parquet.ParquetRefusedException;
import dev.sluice.activities.parquet.StoredFooters;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.activities.storage.TransferMonitor;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Lands files of a version of a Delta table, one by one: an unchanged file of the live content is
 * used as it is, others are copied as they are, and only what cannot be read right that way is
 * written anew. Deletion vectors become delete files. Landing a file again is harmless.
 * Thread-safe.
 */
public final class DeltaLander {

  /** What no way of writing anew can mend. */
  private static final Set<ParquetRefusedException.Kind> BROKEN =
      Set.of(
          ParquetRefusedException.Kind.EMPTY_OBJECT,
          ParquetRefusedException.Kind.NOT_PARQUET,
          ParquetRefusedException.Kind.ENCRYPTED,
          ParquetRefusedException.Kind.CORRUPT_FOOTER);

  private final ObjectStore table;
  private final ObjectStore lake;
  private final String landingId;
  private final DeltaPlan plan;
  private final DeltaMatch match;
  private final DeltaRewriter rewriter;
  private final Semaphore copies;
  private final ParquetFooters tableFooters;
  private final ParquetFooters lakeFooters;

  /**
   * Lands one version.
   *
   * @param table the folder of the Delta table
   * @param lake where files land
   * @param landingId prefix of the landing
   * @param copies most files that are copied or written anew at a time; a further one that is
   *     landed meanwhile has its footer read, so that no copy waits for that
   */
  public DeltaLander(
      ObjectStore table,
      ObjectStore lake,
      String landingId,
      DeltaPlan plan,
      DeltaMatch match,
      DeltaRewriter rewriter,
      int copies) {
    this.table = table;
    this.lake = lake;
    this.landingId = landingId;
    this.plan = plan;
    this.match = match;
    this.rewriter = rewriter;
    this.copies = new Semaphore(copies);
    this.tableFooters = new ParquetFooters(new StoredFooters(table));
    this.lakeFooters = new ParquetFooters(new StoredFooters(lake));
  }

  /**
   * A file of the live content that may be the same.
   *
   * @param file as the ledger has it
   * @param plan what its version was
   */
  public record Live(LedgerFile file, DeltaPlan plan) {}

  /**
   * Lands a file.
   *
   * @param live the same file in the live content; null when that has none
   * @throws SourceFilesGoneException when it is gone, or another one, since it was listed
   * @throws LandingException when another number of bytes arrives
   * @throws DeltaException when its deletion vector cannot be read
   * @throws ParquetRefusedException when it is no usable Parquet file
   */
  public LandingFiles.Planned land(LedgerFile file, @Nullable Live live) {
    try {
      return landed(file, live);
    } catch (StorageException e) {
      throw isGone(e) && !isThere(file)
          ? LandingErrors.fileGone(table.uri(file.sourceKey()), plan.version(), e)
          : e;
    } catch (DeltaException e) {
      throw e.getCause() instanceof StorageException storage && isGone(storage)
          ? LandingErrors.fileGone(table.uri(file.sourceKey()), plan.version(), e)
          : e;
    }
  }

  private static boolean isGone(StorageException e) {
    return e.kind() == StorageException.Kind.NOT_FOUND
        || e.kind() == StorageException.Kind.SOURCE_CHANGED;
  }

  /** Whether the source still has just this file. */
  private boolean isThere(LedgerFile file) {
    return table
        .find(file.sourceKey())
        .filter(object -> object.sizeBytes() == file.sizeBytes())
        .isPresent();
  }

  private LandingFiles.Planned landed(LedgerFile file, @Nullable Live live) {
    DeltaFilePlan filePlan = planOf(file);
    if (live != null) {
      Optional<LandingFiles.Planned> reused = reused(file, filePlan, live);
      if (reused.isPresent()) {
        return reused.get();
      }
    }
    ParquetFile footer = tableFooters.read(file.sourceKey());
    String reason = whyRewritten(file, filePlan, footer);
    Made made;
    // whoever is stopped fails at its next request, so that this wait ends soon then
    copies.acquireUninterruptibly();
    try {
      made =
          reason == null
              ? copied(file, filePlan, footer)
              : rewritten(file, filePlan, footer, reason);
    } finally {
      copies.release();
    }
    return made.planned(file, withFooter(file, made));
  }

  /**
   * What a file became in the lake.
   *
   * @param key of its object
   * @param bytes size of that where it is not the source's; null where it is
   */
  private record Made(String key, @Nullable Long bytes, LandedFacts facts) {

    LandingFiles.Planned planned(LedgerFile file, LandedFacts read) {
      LandedDeletes deletes = read.deletes();
      return new LandingFiles.Planned(
          file.sourceKey(),
          null,
          key.equals(file.landedPath()) ? null : key,
          new LedgerFile.Landed(bytes, deletes == null ? 0 : deletes.count(), read.text()));
    }
  }

  /** Looks into what has landed, and not into what was copied, while others are still copied. */
  private LandedFacts withFooter(LedgerFile file, Made made) {
    try {
      ParquetFile landed = lakeFooters.read(made.key());
      return made.facts()
          .with(
              LandedFooter.of(
                  match.basis(),
                  match.match(landed, made.key(), relativePath(file), made.facts())));
    } catch (ParquetRefusedException refused) {
      // the inspection reads it again and says what is wrong
      return made.facts();
    }
  }

  private String relativePath(LedgerFile file) {
    return file.landedPath().substring(landingId.length());
  }

  private static DeltaFilePlan planOf(LedgerFile file) {
    String text = file.plan();
    if (text == null) {
      throw new IllegalStateException("file " + file.sourceKey() + " of a Delta table has no plan");
    }
    return DeltaFilePlan.parse(text);
  }

  private @Nullable String whyRewritten(
      LedgerFile file, DeltaFilePlan filePlan, ParquetFile footer) {
    if (filePlan.deletes() != null && filePlan.deletedRows() == DeletedRows.REMOVE) {
      return "%d of its rows are deleted, and they are not to be kept"
          .formatted(filePlan.deletedCount());
    }
    return whyNotAsItIs(file.landedPath(), file, footer);
  }

  private @Nullable String whyNotAsItIs(String objectKey, LedgerFile file, ParquetFile footer) {
    try {
      match.match(
          footer, objectKey, relativePath(file), new LandedFacts(footer.rows(), null, null));
      return null;
    } catch (ParquetRefusedException e) {
      if (BROKEN.contains(e.kind())) {
        throw e;
      }
      return String.valueOf(e.getMessage());
    }
  }

  private Made copied(LedgerFile file, DeltaFilePlan filePlan, ParquetFile footer) {
    ObjectInfo copy =
        lake.copyFrom(table, LedgerObjects.source(file), file.landedPath(), TransferMonitor.NONE);
    if (copy.sizeBytes() != file.sizeBytes()) {
      throw LandingErrors.sizeChanged(
          table.uri(file.sourceKey()), file.sizeBytes(), copy.sizeBytes());
    }
    LandedDeletes deletes =
        filePlan.deletes() == null
            ? null
            : written(file, file.landedPath(), DeltaDeletes.read(table, filePlan.deletes()), null);
    return new Made(file.landedPath(), null, new LandedFacts(footer.rows(), null, deletes));
  }

  private Made rewritten(
      LedgerFile file, DeltaFilePlan filePlan, ParquetFile footer, String reason) {
    DeltaRewriter.Rewritten made = rewriter.rewrite(table, file, filePlan, footer, landingId);
    return new Made(made.key(), made.bytes(), new LandedFacts(footer.rows(), reason, null));
  }

  private LandedDeletes written(
      LedgerFile file, String dataFileKey, DeltaDeletes deletes, @Nullable String supersedes) {
    return DeleteFiles.write(
        lake, DeltaFiles.deletesKey(landingId, file.sourceKey()), dataFileKey, deletes, supersedes);
  }

  private static LandingFiles.Planned kept(
      LedgerFile file, String reusedKey, @Nullable Long bytes, LandedFacts facts) {
    LandedDeletes deletes = facts.deletes();
    return new LandingFiles.Planned(
        file.sourceKey(),
        reusedKey,
        new LedgerFile.Landed(bytes, deletes == null ? 0 : deletes.count(), facts.text()));
  }

  /**
   * The live object, when it is the same file with the same values, and no row of it comes back.
   * Delta's files are never changed in place, so one that has its time and its tag is the one that
   * was copied.
   */
  private Optional<LandingFiles.Planned> reused(
      LedgerFile file, DeltaFilePlan filePlan, Live live) {
    LedgerFile.Landed before = live.file().landed();
    if (before == null || !file.isUntouchedSince(live.file())) {
      return Optional.empty();
    }
    LandedFacts facts = LandedFacts.parse(before.facts());
    DeltaFilePlan earlier = planOf(live.file());
    if (!filePlan.partitionValues().equals(earlier.partitionValues())) {
      return Optional.empty();
    }
    String object = live.file().objectKey();
    boolean readsAlike = plan.readsAs(live.plan());
    if (facts.rewritten() != null) {
      return readsAlike && filePlan.equals(earlier)
          ? Optional.of(kept(file, object, before.bytes(), facts))
          : Optional.empty();
    }
    if (filePlan.deletes() != null && filePlan.deletedRows() == DeletedRows.REMOVE) {
      return Optional.empty();
    }
    if (!readsAlike && !isReadable(object, file)) {
      return Optional.empty();
    }
    return deletes(file, filePlan, earlier, object, facts.deletes())
        .map(deletes -> kept(file, object, null, facts.with(deletes.value())));
  }

  private boolean isReadable(String object, LedgerFile file) {
    ParquetFile footer = lakeFooters.read(object);
    return whyNotAsItIs(object, file, footer) == null;
  }

  /** What a kept file's delete file is; its absence is an answer too. */
  private record Deletes(@Nullable LandedDeletes value) {}

  /** Empty when rows that are deleted in the live content would come back. */
  private Optional<Deletes> deletes(
      LedgerFile file,
      DeltaFilePlan filePlan,
      DeltaFilePlan earlier,
      String object,
      @Nullable LandedDeletes live) {
    if (filePlan.deletes() == null) {
      return live == null ? Optional.of(new Deletes(null)) : Optional.empty();
    }
    if (live != null && filePlan.deletes().equals(earlier.deletes())) {
      return Optional.of(
          new Deletes(
              new LandedDeletes(
                  DeltaFiles.deletesKey(landingId, file.sourceKey()),
                  live.objectKey(),
                  live.count(),
                  live.bytes(),
                  live.footerBytes(),
                  null)));
    }
    DeltaDeletes now = DeltaDeletes.read(table, filePlan.deletes());
    if (live != null && !areIn(earlier, now)) {
      return Optional.empty();
    }
    return Optional.of(
        new Deletes(written(file, object, now, live == null ? null : live.objectKey())));
  }

  /** Whether all that was deleted earlier is deleted now. */
  private boolean areIn(DeltaFilePlan earlier, DeltaDeletes now) {
    if (earlier.deletes() == null) {
      return false;
    }
    try {
      return DeltaDeletes.read(table, earlier.deletes()).positions().allMatch(now::contains);
    } catch (DeltaException gone) {
      // the earlier vector may have been removed by now; a copy costs more and is always right
      return false;
    }
  }
}
