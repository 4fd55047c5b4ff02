package dev.sluice.activities.temporal;

import dev.sluice.activities.delta.DeltaException;
import dev.sluice.activities.delta.DeltaSnapshot;
import dev.sluice.activities.delta.DeltaTable;
import dev.sluice.activities.delta.LeftOutColumn;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.landing.DeletedRows;
import dev.sluice.activities.landing.DeltaFiles;
import dev.sluice.activities.landing.DeltaPlan;
import dev.sluice.activities.landing.LandingException;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.CopyPlan;
import dev.sluice.workflows.activity.CopyPrepareInput;
import dev.sluice.workflows.activity.CopyPrepareInput.Patience;
import dev.sluice.workflows.activity.WorkflowPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Pins a version of a source's Delta table and plans how its files land. */
final class CopyPrepare {

  /** A table that is written all the time moves on while its objects are listed. */
  private static final int LOOKS = 3;

  private final PrepareStage.Home home;
  private final TargetClaims claims;
  private final Sources sources;

  CopyPrepare(PrepareStage.Home home, Lakes lakes, Sources sources, Failures failures) {
    this.home = home;
    this.claims = new TargetClaims(home, lakes, failures);
    this.sources = sources;
  }

  CopyPlan prepared(CopyPrepareInput input) {
    RegisterTrigger trigger = input.trigger();
    TargetClaims.Claimed claimed = claims.claim(trigger, input.attempt());
    ObjectStore table = sources.deltaTable(trigger);
    Pinned pinned;
    try {
      pinned = pinned(table, input);
    } catch (DeltaException e) {
      if (input.patience() == Patience.WAIT && mayCome(e, claimed)) {
        return CopyPlan.waiting(String.valueOf(e.getMessage()));
      }
      throw e;
    }
    RegisterTrigger generation = trigger.pinned(pinned.snapshot().version());
    home.jobs()
        .noteGeneration(claimed.attempt(), generation.generation().value(), generation.order());
    Optional<String> stale = claims.staleReason(claimed, generation, input.attempt());
    if (stale.isPresent()) {
      return CopyPlan.stale(stale.get());
    }
    return planned(input, claimed, generation, pinned);
  }

  /** A version with its files. */
  private record Pinned(DeltaSnapshot snapshot, DeltaFiles files) {}

  /**
   * Only a version that the trigger names is refused when a file of it is missing; otherwise the
   * newest one is meant, and that may have changed since it was looked for.
   */
  private static Pinned pinned(ObjectStore folder, CopyPrepareInput input) {
    DeltaTable table = DeltaTable.in(folder);
    Long named = input.goneVersion() == null ? input.trigger().deltaVersion() : null;
    for (int looks = 1; ; looks++) {
      DeltaSnapshot snapshot =
          table.snapshot(named == null ? OptionalLong.empty() : OptionalLong.of(named));
      try {
        return new Pinned(snapshot, DeltaFiles.find(folder, snapshot));
      } catch (LandingException e) {
        if (named != null || looks == LOOKS || table.latestVersion() == snapshot.version()) {
          throw e;
        }
      }
    }
  }

  /**
   * Whether the log may become what is asked for. A location that never had one is wrong; one that
   * was copied before is being made anew.
   */
  private static boolean mayCome(DeltaException e, TargetClaims.Claimed claimed) {
    return switch (e.kind()) {
      case LOG_NOT_READY -> true;
      case NOT_A_DELTA_TABLE -> wasCopied(claimed);
      case NO_SUCH_VERSION,
          UNSUPPORTED_FEATURE,
          LOG_BROKEN,
          UNSUPPORTED_COLUMN,
          BAD_FILE_ENTRY,
          BROKEN_DELETES,
          INTERRUPTED ->
          false;
    };
  }

  private static boolean wasCopied(TargetClaims.Claimed claimed) {
    return claimed
        .lake()
        .state()
        .read(dsl -> Publications.findLive(dsl, claimed.target()))
        .filter(live -> live.attempt().source().equals(claimed.attempt().source()))
        .filter(live -> live.attempt().path() != WorkflowPath.REGISTER)
        .isPresent();
  }

  private CopyPlan planned(
      CopyPrepareInput input,
      TargetClaims.Claimed claimed,
      RegisterTrigger generation,
      Pinned pinned) {
    noteLeftOut(claimed, pinned.snapshot());
    DeltaFiles files = pinned.files();
    DeletedRows deletedRows = sources.options(generation).deletedRows();
    LandingPlace<List<LedgerFile>> place =
        LandingPlace.choose(
            claimed.lake(),
            claimed.prefix(generation),
            input.attempt(),
            landingId -> files.listed(landingId, deletedRows),
            listed -> listed);
    claimed.open(
        place.landingId(), generation, DeltaPlan.of(pinned.snapshot()).text(), place.content());
    return CopyPlan.ready(
        claimed.preparation(place.landingId(), files.files().size(), files.bytes()),
        pinned.snapshot().version());
  }

  private void noteLeftOut(TargetClaims.Claimed claimed, DeltaSnapshot snapshot) {
    if (!snapshot.leftOut().isEmpty()) {
      home.events()
          .append(
              claimed.attempt(),
              EventKind.LEFT_OUT,
              snapshot.leftOut().stream()
                  .map(LeftOutColumn::text)
                  .collect(Collectors.joining("; ")));
    }
  }
}
