package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.StateException;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.InspectionLedger;
import dev.sluice.activities.landing.LandedObjects;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.publish.Generation;
import dev.sluice.activities.publish.Publisher;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.PublishResult;
import dev.sluice.workflows.activity.StageInput;
import java.util.List;
import java.util.Optional;

/** Makes a verified generation the live content of its table. */
public final class PublishStage implements PublishActivities {

  private final SourceJobEvents events;
  private final Lakes lakes;
  private final Sources sources;
  private final Failures failures;

  /** Makes the stage. */
  public PublishStage(SourceJobEvents events, Lakes lakes, Sources sources, Failures failures) {
    this.events = events;
    this.lakes = lakes;
    this.sources = sources;
    this.failures = failures;
  }

  @Override
  public PublishResult publish(StageInput input) {
    return failures.mapped(() -> new Beats(input.preparation()).during(() -> published(input)));
  }

  private PublishResult published(StageInput input) {
    LakeAccess lake = lakes.require(input.preparation().lake());
    AttemptKey attempt = Attempts.key(input);
    // an earlier call of this very attempt may have published without being able to say so
    Optional<Publication> earlier = find(lake, attempt);
    if (earlier.isPresent()) {
      return PublishResult.published(live(earlier.get()));
    }
    Preparation preparation = input.preparation();
    LandingLedger.Key key = Attempts.landing(lake, preparation);
    List<LedgerFile> files = lake.state().read(dsl -> LandingLedger.files(dsl, key));
    LandedObjects.requireComplete(
        lake.store(),
        preparation.landingId(),
        files.stream()
            .map(file -> new LandingFile(file.sourceKey(), file.landedPath(), file.sizeBytes()))
            .toList());
    Inspection content = InspectionLedger.read(lake.state(), key, lake.store());
    Target target = Attempts.target(lake, preparation);
    Sources.Options options = sources.options(input.trigger());
    try {
      new Publisher(lake.catalog())
          .publish(
              new Generation(
                  target,
                  attempt,
                  input.trigger().jobId(),
                  input.trigger().generation().value(),
                  input.trigger().order(),
                  key,
                  content,
                  options.schemaPolicy(),
                  options.foreignContent()));
    } catch (StateException e) {
      if (e.kind() == StateException.Kind.STALE_GENERATION) {
        return PublishResult.stale(String.valueOf(e.getMessage()));
      }
      throw e;
    }
    if (content.rows() == 0) {
      events.append(attempt, EventKind.EMPTY, "a generation without rows was published");
    }
    return PublishResult.published(
        live(
            find(lake, attempt)
                .orElseThrow(
                    () ->
                        new IllegalStateException(
                            "a publication was committed but its record is missing"))));
  }

  private static Optional<Publication> find(LakeAccess lake, AttemptKey attempt) {
    return lake.state().read(dsl -> Publications.findByAttempt(dsl, lake.key(), attempt));
  }

  static LivePublication live(Publication publication) {
    return new LivePublication(
        publication.target().schema(),
        publication.target().table(),
        publication.snapshotId(),
        publication.rows(),
        publication.files(),
        publication.bytes());
  }
}
