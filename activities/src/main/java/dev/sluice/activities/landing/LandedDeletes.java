package dev.sluice.activities.landing;

import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.NewDataFile;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The positional delete file of a landed data file. Keys are those of the lake's store.
 *
 * @param ownKey where a delete file of the landing's own lies, or would
 * @param objectKey the object that is used: the own one, or the live one of the table that says the
 *     same
 * @param count positions in it
 * @param bytes size of the object
 * @param footerBytes length of its footer
 * @param supersedes key of the live delete file whose positions are all in this one; null when the
 *     data file has none
 */
public record LandedDeletes(
    String ownKey,
    String objectKey,
    long count,
    long bytes,
    long footerBytes,
    @Nullable String supersedes) {

  /** Finds that of a file in the ledger; empty when all of its rows are content. */
  public static Optional<LandedDeletes> of(LedgerFile file) {
    LedgerFile.Landed landed = file.landed();
    return landed == null
        ? Optional.empty()
        : Optional.ofNullable(LandedFacts.parse(landed.facts()).deletes());
  }

  /** Whether it is the landing's own. */
  public boolean isOwn() {
    return ownKey.equals(objectKey);
  }

  /** The same positions in an object of the landing's own, for a data file that is new. */
  public LandedDeletes own() {
    return new LandedDeletes(ownKey, ownKey, count, bytes, footerBytes, null);
  }

  /** As a commit registers it. */
  NewDataFile.Deletes registered(ObjectStore lake) {
    return new NewDataFile.Deletes(
        lake.uri(objectKey),
        count,
        bytes,
        footerBytes,
        supersedes == null ? null : lake.uri(supersedes));
  }
}
