package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.TriggerStore;
import dev.sluice.activities.landing.GenerationFiles;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.PrepareActivities;
import dev.sluice.workflows.activity.PrepareInput;
import dev.sluice.workflows.activity.PrepareResult;
import dev.sluice.workflows.naming.PreparedFolder;
import java.util.List;
import java.util.Optional;

/** Looks before the leap: names, lake, fence, files. */
public final class PrepareStage implements PrepareActivities {

  /** Names of left-out objects in an event; the rest is counted. */
  private static final int LEFT_OUT_SHOWN = 5;

  private final Home home;
  private final TargetClaims claims;
  private final Sources sources;
  private final Failures failures;

  /** The home database's stores that this stage needs. */
  public record Home(
      Provisioning provisioning,
      TableNames names,
      TriggerStore triggers,
      SourceJobs jobs,
      SourceJobEvents events) {}

  /** Makes the stage. */
  public PrepareStage(Home home, Lakes lakes, Sources sources, Failures failures) {
    this.home = home;
    this.claims = new TargetClaims(home, lakes, failures);
    this.sources = sources;
    this.failures = failures;
  }

  @Override
  public PrepareResult prepare(PrepareInput input) {
    return failures.mapped(() -> new Beats().during(() -> prepared(input)));
  }

  private PrepareResult prepared(PrepareInput input) {
    RegisterTrigger trigger = input.trigger();
    PreparedFolder folder = new PreparedFolder(trigger.preparedFolder());
    TargetClaims.Claimed claimed = claims.claim(trigger, input.attempt());
    Optional<String> stale = claims.staleReason(claimed, trigger, input.attempt());
    if (stale.isPresent()) {
      return PrepareResult.stale(stale.get());
    }
    ObjectStore source = sources.preparedFolder(trigger, folder);
    LandingPlace<GenerationFiles> place =
        LandingPlace.choose(
            claimed.lake(),
            claimed.prefix(trigger),
            input.attempt(),
            landingId -> GenerationFiles.list(source, landingId),
            PrepareStage::listed);
    GenerationFiles files = place.content();
    noteLeftOut(claimed.attempt(), files.leftOut());
    claimed.open(place.landingId(), trigger, null, listed(files));
    return PrepareResult.ready(
        claimed.preparation(place.landingId(), files.files().size(), files.bytes()));
  }

  private static List<LedgerFile> listed(GenerationFiles files) {
    return files.files().stream().map(LandingFile::listed).toList();
  }

  private void noteLeftOut(AttemptKey attempt, List<String> leftOut) {
    if (!leftOut.isEmpty()) {
      String shown =
          String.join(", ", leftOut.subList(0, Math.min(LEFT_OUT_SHOWN, leftOut.size())));
      home.events()
          .append(
              attempt,
              EventKind.LEFT_OUT,
              "%d objects of the folder are no data and were left out: %s"
                  .formatted(leftOut.size(), shown));
    }
  }
}
