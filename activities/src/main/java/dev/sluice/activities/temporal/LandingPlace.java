package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.naming.LandingPrefix;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Where a generation lands, and its files with their keys there.
 *
 * @param <T> the form of the files
 */
record LandingPlace<T>(String landingId, T content) {

  /** Landings that nothing is landed in again. */
  private static final Set<LandingLedger.LandingState> TAKEN =
      Set.of(LandingLedger.LandingState.PUBLISHED, LandingLedger.LandingState.CLEANED);

  /**
   * Where the generation lands. The objects of a published landing are the lake's for ever, also
   * once another generation is live: a further publication of the generation gets objects of its
   * own. So does one whose landing the clean-up took (it may still be deleting there), and one
   * whose source was written anew, or is landed otherwise, since (a late copy of the earlier
   * version may still arrive there).
   *
   * @param lister lists the files for a landing
   * @param listed those as the ledger has them
   */
  static <T> LandingPlace<T> choose(
      LakeAccess lake,
      LandingPrefix prefix,
      AttemptRef attempt,
      Function<String, T> lister,
      Function<T, List<LedgerFile>> listed) {
    String usual = prefix.value();
    String other = usual.substring(0, usual.length() - 1) + "-try-" + attempt.number();
    LandingPlace<T> place = new LandingPlace<>(usual, lister.apply(usual));
    for (int next = 1; !isFree(lake, place, listed); next++) {
      String landingId = next == 1 ? other + "/" : other + "-" + next + "/";
      place = new LandingPlace<>(landingId, lister.apply(landingId));
    }
    return place;
  }

  private static <T> boolean isFree(
      LakeAccess lake, LandingPlace<T> place, Function<T, List<LedgerFile>> listed) {
    LandingLedger.Key key = new LandingLedger.Key(lake.key(), place.landingId());
    Optional<LandingLedger.Landing> known = lake.state().read(dsl -> LandingLedger.find(dsl, key));
    if (known.isEmpty()) {
      return true;
    }
    if (TAKEN.contains(known.get().state())) {
      return false;
    }
    Map<String, LedgerFile> earlier = new HashMap<>();
    lake.state()
        .read(dsl -> LandingFiles.files(dsl, key))
        .forEach(file -> earlier.put(file.sourceKey(), file));
    return listed.apply(place.content()).stream()
        .allMatch(
            file -> {
              LedgerFile before = earlier.get(file.sourceKey());
              return before == null
                  || (before.isSameVersion(file) && Objects.equals(before.plan(), file.plan()));
            });
  }
}
