package dev.sluice.activities.jobs;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One object of a generation in the ledger.
 *
 * @param sourceKey key in the source's store
 * @param sizeBytes size when it was listed
 * @param checksum what tells this version of the source object from another one under the same key,
 *     as {@code <kind>:<value>}; null when the store keeps nothing of the kind
 * @param modifiedAt the source store's time of last change; null when it tells none
 * @param landedPath where it lands: a key of its own, also while another object is used instead
 * @param reusedPath key of the live object of the table that has the same content and is published
 *     in place of a copy; null when the file is copied
 * @param state how far it is
 * @param recordCount rows by its footer; null before it was inspected
 * @param footerSize footer length in bytes; null before it was inspected
 * @param facts text of whoever inspected it; null before it was inspected
 * @param plan text of whoever planned it; null where files are landed as they are listed
 * @param landed what landing made of it; null where it is a copy, or not landed yet
 */
public record LedgerFile(
    String sourceKey,
    long sizeBytes,
    @Nullable String checksum,
    @Nullable Instant modifiedAt,
    String landedPath,
    @Nullable String reusedPath,
    FileState state,
    @Nullable Long recordCount,
    @Nullable Long footerSize,
    @Nullable String facts,
    @Nullable String plan,
    @Nullable Landed landed) {

  /** Checks presence. */
  public LedgerFile {
    Objects.requireNonNull(sourceKey, "sourceKey");
    Objects.requireNonNull(landedPath, "landedPath");
    Objects.requireNonNull(state, "state");
  }

  /**
   * What landing made of a planned file.
   *
   * @param bytes size of the landed object; null where it is the source's own
   * @param deletedRows rows of it that are no content
   * @param facts text of whoever landed it
   */
  public record Landed(@Nullable Long bytes, long deletedRows, String facts) {

    /** Checks presence. */
    public Landed {
      Objects.requireNonNull(facts, "facts");
    }
  }

  /** A file that is landed as it is listed. */
  public LedgerFile(
      String sourceKey,
      long sizeBytes,
      @Nullable String checksum,
      @Nullable Instant modifiedAt,
      String landedPath,
      @Nullable String reusedPath,
      FileState state,
      @Nullable Long recordCount,
      @Nullable Long footerSize,
      @Nullable String facts) {
    this(
        sourceKey,
        sizeBytes,
        checksum,
        modifiedAt,
        landedPath,
        reusedPath,
        state,
        recordCount,
        footerSize,
        facts,
        null,
        null);
  }

  /** The same file with a plan. */
  public LedgerFile planned(String text) {
    return new LedgerFile(
        sourceKey,
        sizeBytes,
        checksum,
        modifiedAt,
        landedPath,
        reusedPath,
        state,
        recordCount,
        footerSize,
        facts,
        text,
        landed);
  }

  /** A file that was listed and not yet landed. */
  public static LedgerFile listed(
      String sourceKey,
      long sizeBytes,
      @Nullable String checksum,
      @Nullable Instant modifiedAt,
      String landedPath) {
    return new LedgerFile(
        sourceKey,
        sizeBytes,
        checksum,
        modifiedAt,
        landedPath,
        null,
        FileState.LISTED,
        null,
        null,
        null);
  }

  /**
   * Whether both were listed from the same version of the source object. The database keeps times
   * less exactly than a file system does.
   */
  public boolean isSameVersion(LedgerFile other) {
    if (sizeBytes != other.sizeBytes) {
      return false;
    }
    if (checksum != null && other.checksum != null) {
      return checksum.equals(other.checksum);
    }
    return Objects.equals(millis(modifiedAt), millis(other.modifiedAt));
  }

  /** Whether both were listed from the same version of an object that nobody wrote meanwhile. */
  public boolean isUntouchedSince(LedgerFile earlier) {
    return isSameVersion(earlier) && Objects.equals(millis(modifiedAt), millis(earlier.modifiedAt));
  }

  private static @Nullable Instant millis(@Nullable Instant time) {
    return time == null ? null : time.truncatedTo(ChronoUnit.MILLIS);
  }

  /** Key of the object that is the file's content in the lake's store. */
  public String objectKey() {
    return reusedPath == null ? landedPath : reusedPath;
  }

  /** Size of that object, once it is landed. */
  public long objectBytes() {
    Long other = landed == null ? null : landed.bytes();
    return other == null ? sizeBytes : other;
  }

  /** How far a file is. */
  public enum FileState {
    /** Seen in the source. */
    LISTED,
    /** Lies complete in the lake's store. */
    LANDED,
    /** Its footer was read. */
    INSPECTED
  }
}
