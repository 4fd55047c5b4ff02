package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StoredTrigger;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.jobs.TriggerStore;
import dev.sluice.activities.landing.GenerationFiles;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.PrepareActivities;
import dev.sluice.workflows.activity.PrepareInput;
import dev.sluice.workflows.activity.PrepareResult;
import dev.sluice.workflows.naming.LandingPrefix;
import dev.sluice.workflows.naming.NamingPolicy;
import dev.sluice.workflows.naming.PreparedFolder;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Looks before the leap: names, lake, fence, files. */
public final class PrepareStage implements PrepareActivities {

  /** Names of left-out objects in an event; the rest is counted. */
  private static final int LEFT_OUT_SHOWN = 5;

  /** Landings that nothing is landed in again. */
  private static final Set<LandingLedger.LandingState> TAKEN =
      Set.of(LandingLedger.LandingState.PUBLISHED, LandingLedger.LandingState.CLEANED);

  private final Home home;
  private final Lakes lakes;
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
    this.lakes = lakes;
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
    SourceRef source = Attempts.source(trigger);
    Provisioning.Team team = home.provisioning().requireTeam(source.team());
    NamingPolicy naming = NamingPolicy.ofId(team.namingVersion());
    String lakeName = trigger.lake() == null ? team.lake() : trigger.lake();
    String schema = team.importsSchema();
    String table = naming.importTable(trigger.sourceType(), trigger.prefix(), trigger.table());
    LandingPrefix prefix =
        LandingPrefix.of(schema, table, source.schemaId(), trigger.jobId(), trigger.generation());

    home.names().claim(source, new Target(lakeName, schema, table), naming.id());
    AttemptKey attempt = Attempts.key(trigger, input.attempt());
    home.jobs().noteTarget(attempt, lakeName, schema, table);
    LakeAccess lake = lakes.require(lakeName);
    Target target = new Target(lake.key(), schema, table);
    Optional<String> stale = staleReason(lake, target, input);
    if (stale.isPresent()) {
      return PrepareResult.stale(stale.get());
    }
    Place place = place(lake, prefix, input, sources.preparedFolder(trigger, folder));
    String landingId = place.landingId();
    GenerationFiles files = place.files();
    noteLeftOut(attempt, files.leftOut());
    LandingLedger.Key key = new LandingLedger.Key(lake.key(), landingId);
    lake.state()
        .write(
            dsl -> {
              Fences.requireHeld(dsl, target, input.attempt());
              LandingLedger.open(dsl, key, source, trigger.generation().value(), target);
              LandingFiles.list(dsl, key, files.files().stream().map(LedgerFiles::listed).toList());
              return key;
            });
    return PrepareResult.ready(
        new Preparation(lakeName, schema, table, landingId, files.files().size(), files.bytes()));
  }

  /** Where a generation lands, and its files with their keys there. */
  private record Place(String landingId, GenerationFiles files) {}

  /**
   * Where the generation lands. The objects of a published landing are the lake's for ever, also
   * once another generation is live: a further publication of the generation gets objects of its
   * own. So does one whose landing the clean-up took (it may still be deleting there), and one
   * whose source was written anew since (a late copy of the earlier version may still arrive
   * there).
   */
  private static Place place(
      LakeAccess lake, LandingPrefix prefix, PrepareInput input, ObjectStore folder) {
    String usual = prefix.value();
    String other = usual.substring(0, usual.length() - 1) + "-try-" + input.attempt().number();
    Place place = new Place(usual, GenerationFiles.list(folder, usual));
    for (int next = 1; !isFree(lake, place); next++) {
      String landingId = next == 1 ? other + "/" : other + "-" + next + "/";
      place = new Place(landingId, GenerationFiles.list(folder, landingId));
    }
    return place;
  }

  private static boolean isFree(LakeAccess lake, Place place) {
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
    return place.files().files().stream()
        .map(LedgerFiles::listed)
        .allMatch(
            file -> {
              LedgerFile before = earlier.get(file.sourceKey());
              return before == null || before.isSameVersion(file);
            });
  }

  /** Takes the fence; a generation that is older than what is live or waits is not begun. */
  private Optional<String> staleReason(LakeAccess lake, Target target, PrepareInput input) {
    RegisterTrigger trigger = input.trigger();
    AttemptKey attempt = Attempts.key(trigger, input.attempt());
    long opening =
        home.jobs()
            .find(attempt)
            .orElseThrow(() -> failures.fenced(attempt + " is not known any more"))
            .opening();
    boolean gone =
        lake.state()
            .read(dsl -> Publications.findLive(dsl, target))
            .filter(live -> !LiveTables.isThere(lake, live))
            .isPresent();
    Judged judged =
        lake.state()
            .write(
                dsl -> {
                  Fences.claim(dsl, target, input.attempt(), opening);
                  if (gone) {
                    Fences.forgetGeneration(dsl, target);
                  }
                  return new Judged(
                      Fences.check(
                          dsl,
                          target,
                          input.attempt(),
                          trigger.order(),
                          trigger.generation().value()),
                      Fences.find(dsl, target).orElseThrow());
                });
    return switch (judged.verdict()) {
      case Fences.Verdict.Stale(String reason) -> Optional.of(reason);
      case Fences.Verdict.Fenced(String reason) -> throw failures.fenced(reason);
      case Fences.Verdict.Refused(String reason) -> throw failures.refused(reason);
      case Fences.Verdict.Allowed allowed ->
          overtakenReason(attempt, trigger, judged.fence())
              .or(() -> supersededReason(attempt, trigger));
    };
  }

  /** What the fence says, and what it says it from. */
  private record Judged(Fences.Verdict verdict, Fences.Fence fence) {}

  /**
   * Of two generations with one order the one that arrived first is the older, however often it is
   * delivered again. Holds until the publication, since nobody else has the fence until then.
   */
  private Optional<String> overtakenReason(
      AttemptKey attempt, RegisterTrigger trigger, Fences.Fence fence) {
    String published = fence.generation();
    if (published == null || !trigger.order().equals(fence.published())) {
      return Optional.empty();
    }
    Optional<Instant> own =
        home.triggers()
            .firstArrival(
                attempt.path(), attempt.source(), trigger.generation().value(), trigger.order());
    Optional<Instant> other =
        home.triggers().firstArrival(attempt.path(), attempt.source(), published, trigger.order());
    return own.isPresent() && other.isPresent() && own.get().isBefore(other.get())
        ? Optional.of(
            "generation %s of the same order %s arrived later and is published"
                .formatted(published, trigger.order()))
        : Optional.empty();
  }

  private Optional<String> supersededReason(AttemptKey attempt, RegisterTrigger trigger) {
    return home.triggers()
        .findPending(attempt.path(), attempt.source())
        .map(StoredTrigger::trigger)
        .filter(pending -> pending.order().isNewerThan(trigger.order()))
        .map(
            pending ->
                "superseded by generation %s, which waits to run next"
                    .formatted(pending.generation()));
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
