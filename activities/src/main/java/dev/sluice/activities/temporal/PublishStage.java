package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.StateException;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.PublishResult;
import dev.sluice.workflows.activity.PublishSetActivities;
import dev.sluice.workflows.activity.PublishedSet;
import dev.sluice.workflows.activity.SetPublishing;
import dev.sluice.workflows.activity.StageInput;
import java.util.List;

/** Makes verified generations the live content of their tables. */
public final class PublishStage implements PublishActivities, PublishSetActivities {

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
    PublishedSet published = publishSet(new SetPublishing(List.of(input)));
    return published.staleReason() == null
        ? PublishResult.published(published.publications().get(0))
        : PublishResult.stale(published.staleReason());
  }

  @Override
  public PublishedSet publishSet(SetPublishing input) {
    return failures.mapped(
        () ->
            new Beats(input.members().get(0).preparation())
                .during(() -> published(input.members())));
  }

  private PublishedSet published(List<StageInput> members) throws InterruptedException {
    Publishing publishing =
        new Publishing(events, lakes.require(members.get(0).preparation().lake()), sources);
    List<Publication> publications;
    // an earlier call may have published without being able to say so; one commit made all of them,
    // so that the first tells of the others
    if (publishing.find(members.get(0)).isPresent()) {
      publications = members.stream().map(each -> publishing.find(each).orElseThrow()).toList();
      for (int i = 0; i < members.size(); i++) {
        publishing.tell(publications.get(i), members.get(i));
      }
    } else {
      try {
        publications = publishing.publish(members);
      } catch (StateException e) {
        if (e.kind() == StateException.Kind.STALE_GENERATION) {
          return new PublishedSet(String.valueOf(e.getMessage()), List.of());
        }
        throw e;
      }
    }
    return new PublishedSet(null, publications.stream().map(PublishStage::live).toList());
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
