package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.landing.LandingContents;
import dev.sluice.activities.publish.Generation;
import dev.sluice.activities.publish.Publisher;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.error.InvalidChangeException;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.naming.PreparedFolder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Publishes what the ledger says is verified: one generation, or several of one lake in one
 * snapshot. Which live objects can stand in for copies is decided under the lake's lock; the others
 * are copied outside of it, and the lake is asked again.
 */
final class Publishing {

  /** Others may end rows between two tries; each try copies all that was in the way. */
  private static final int TRIES = 5;

  private final SourceJobEvents events;
  private final LakeAccess lake;
  private final Sources sources;

  Publishing(SourceJobEvents events, LakeAccess lake, Sources sources) {
    this.events = events;
    this.lake = lake;
    this.sources = sources;
  }

  /**
   * Publishes all of them in one snapshot.
   *
   * @return the publications, in the order of the inputs
   * @throws dev.sluice.activities.jobs.StateException when one of them may not be published
   */
  List<Publication> publish(List<StageInput> inputs) throws InterruptedException {
    Map<StageInput, LandingContents> contents = new LinkedHashMap<>();
    for (StageInput input : inputs) {
      contents.put(input, complete(input));
    }
    for (int tries = 1; ; tries++) {
      try {
        new Publisher(lake.catalog()).publishTogether(generations(contents));
        break;
      } catch (InvalidChangeException e) {
        if (e.kind() != InvalidChangeException.Kind.PATH_TAKEN
            || tries >= TRIES + inputs.size()
            || !copyFresh(inputs, Set.copyOf(e.paths()))) {
          throw e;
        }
        for (StageInput input : inputs) {
          contents.put(input, contents(input));
        }
      }
    }
    List<Publication> publications = new ArrayList<>();
    for (StageInput input : inputs) {
      Publication publication =
          find(input)
              .orElseThrow(
                  () ->
                      new IllegalStateException(
                          "a publication was committed but its record is missing"));
      tell(publication, input);
      publications.add(publication);
    }
    return publications;
  }

  /** The publication of this very attempt, by an earlier call that could not say so. */
  Optional<Publication> find(StageInput input) {
    AttemptKey attempt = Attempts.key(input);
    return lake.state().read(dsl -> Publications.findByAttempt(dsl, lake.key(), attempt));
  }

  /** Says what is in a publication's record and should be known; each event is written once. */
  void tell(Publication publication, StageInput input) {
    if (publication.rows() == 0) {
      events.append(
          publication.attempt(), EventKind.EMPTY, "a generation without rows was published");
    }
    if (publication.replaced() != null) {
      events.append(
          publication.attempt(),
          EventKind.FOREIGN_CONTENT_REPLACED,
          "replaced by policy; found was: " + publication.replaced());
    }
    switch (sources.options(input.trigger()).schemaPolicy()) {
      case WARN ->
          ColumnChanges.of(lake.catalog().reader(), publication)
              .ifPresent(
                  changes ->
                      events.append(publication.attempt(), EventKind.SCHEMA_CHANGED, changes));
      case SYNC, ADD_ONLY, FAIL -> {}
    }
  }

  private List<Generation> generations(Map<StageInput, LandingContents> contents) {
    List<Generation> generations = new ArrayList<>();
    contents.forEach((input, ofInput) -> generations.add(generation(input, ofInput)));
    return generations;
  }

  private Generation generation(StageInput input, LandingContents contents) {
    Preparation preparation = input.preparation();
    Sources.Options options = sources.options(input.trigger());
    return new Generation(
        Attempts.target(lake, preparation),
        Attempts.key(input),
        input.trigger().jobId(),
        contents.landing().generation(),
        input.trigger().order(),
        contents.landing().key(),
        contents.inspection(),
        options.schemaPolicy(),
        options.foreignContent(),
        preparation.restores());
  }

  /** What is to be published, each file of it with an object. */
  private LandingContents complete(StageInput input) throws InterruptedException {
    LandingContents contents = contents(input);
    FreshCopies copies = new FreshCopies(lake, input, () -> {});
    List<LedgerFile> gone = copies.withoutStandIn(contents.files());
    if (!gone.isEmpty()) {
      copies.copy(gone, source(input));
      contents = contents(input);
    }
    contents.requireObjects();
    return contents;
  }

  /** Copies what stands in the way; whether there was anything that a copy can mend. */
  private boolean copyFresh(List<StageInput> inputs, Set<String> taken)
      throws InterruptedException {
    Set<String> mended = new HashSet<>();
    for (StageInput input : inputs) {
      List<LedgerFile> standIns =
          contents(input).files().stream()
              .filter(file -> file.reusedPath() != null)
              .filter(file -> taken.contains(lake.store().uri(file.objectKey())))
              .toList();
      standIns.forEach(file -> mended.add(lake.store().uri(file.objectKey())));
      if (!standIns.isEmpty()) {
        new FreshCopies(lake, input, () -> {}).copy(standIns, source(input));
      }
    }
    return mended.containsAll(taken);
  }

  private ObjectStore source(StageInput input) {
    if (input.preparation().restores() != null) {
      return lake.store();
    }
    return switch (input.trigger().path()) {
      case REGISTER ->
          sources.preparedFolder(
              input.trigger(), new PreparedFolder(input.trigger().preparedFolder()));
      case COPY, MODEL -> sources.deltaTable(input.trigger());
    };
  }

  private LandingContents contents(StageInput input) throws InterruptedException {
    return LandingContents.read(
        lake.state(), Attempts.landing(lake, input.preparation()), lake.store());
  }
}
