package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.StateException;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.InspectionLedger;
import dev.sluice.activities.landing.LandedObjects;
import dev.sluice.activities.publish.Generation;
import dev.sluice.activities.publish.Publisher;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.error.InvalidChangeException;
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
    LandedObjects.list(lake.store(), preparation.landingId(), () -> {})
        .requireAll(files.stream().map(LedgerFiles::landing).toList());
    Inspection content = InspectionLedger.read(lake.state(), key, lake.store());
    Sources.Options options = sources.options(input.trigger());
    Generation generation =
        new Generation(
            Attempts.target(lake, preparation),
            attempt,
            input.trigger().jobId(),
            input.trigger().generation().value(),
            input.trigger().order(),
            key,
            content,
            options.schemaPolicy(),
            ForeignContent.REFUSE);
    try {
      publish(new Publisher(lake.catalog()), generation, options.foreignContent());
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

  /**
   * Content that is not ours is looked for first whatever the policy, so that replacing it leaves
   * an event that names it.
   */
  private void publish(Publisher publisher, Generation generation, ForeignContent policy) {
    try {
      publisher.publish(generation);
    } catch (InvalidChangeException e) {
      switch (policy) {
        case REFUSE -> throw e;
        case REPLACE -> {
          if (e.kind() != InvalidChangeException.Kind.FOREIGN_CONTENT) {
            throw e;
          }
          publisher.publish(generation.replacingForeignContent());
          events.append(
              generation.attempt(),
              EventKind.FOREIGN_CONTENT_REPLACED,
              "replaced by policy; found was: " + e.getMessage());
        }
      }
    }
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
