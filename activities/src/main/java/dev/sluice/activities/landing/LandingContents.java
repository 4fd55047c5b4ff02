package dev.sluice.activities.landing;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.storage.ObjectStore;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that publishing has to know of a landing: what the ledger says of its files, and which
 * objects lie there. The store is asked page after page, and the ledger is read meanwhile.
 * Immutable.
 *
 * @param landing the ledger's row
 * @param files its files, in their order
 * @param inspection what they came to
 * @param objects what lies below the landing's prefix
 */
public record LandingContents(
    LandingLedger.Landing landing,
    List<LedgerFile> files,
    Inspection inspection,
    LandedObjects objects) {

  /** Copies the list. */
  public LandingContents {
    files = List.copyOf(files);
  }

  /**
   * Reads both.
   *
   * @throws IllegalStateException when there is no such landing, or it was not inspected
   * @throws InterruptedException when the calling thread is interrupted
   */
  public static LandingContents read(StateDatabase state, LandingLedger.Key key, ObjectStore lake)
      throws InterruptedException {
    Reading reading = new Reading();
    Parallel.together(
        List.of(
            () -> reading.objects = LandedObjects.list(lake, key.landingId(), () -> {}),
            () -> reading.ledger(state, key, lake)));
    return new LandingContents(
        Objects.requireNonNull(reading.landing),
        reading.files,
        Objects.requireNonNull(reading.inspection),
        Objects.requireNonNull(reading.objects));
  }

  private static final class Reading {
    private LandingLedger.@Nullable Landing landing;
    private List<LedgerFile> files = List.of();
    private @Nullable Inspection inspection;
    private @Nullable LandedObjects objects;

    void ledger(StateDatabase state, LandingLedger.Key key, ObjectStore lake) {
      LandingLedger.Landing found =
          state
              .read(dsl -> LandingLedger.find(dsl, key))
              .orElseThrow(() -> new IllegalStateException("no landing " + key.landingId()));
      landing = found;
      files = state.read(dsl -> LandingFiles.files(dsl, key));
      inspection = InspectionLedger.of(found, files, lake);
    }
  }

  /**
   * Looks for every object: a catalog row never names one that is gone.
   *
   * @throws LandingException naming the first that is missing or has another size
   */
  public void requireObjects() {
    objects.requireAll(
        files.stream().filter(file -> file.reusedPath() == null).map(LandingFile::object).toList());
    objects.requireAll(
        files.stream()
            .flatMap(
                file ->
                    LandedDeletes.of(file).stream()
                        .filter(LandedDeletes::isOwn)
                        .map(deletes -> LandingFile.deletes(file, deletes)))
            .toList());
  }
}
