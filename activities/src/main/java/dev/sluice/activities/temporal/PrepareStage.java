package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.LandingLedger;
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
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.PrepareActivities;
import dev.sluice.workflows.activity.PrepareInput;
import dev.sluice.workflows.activity.PrepareResult;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.LandingPrefix;
import dev.sluice.workflows.naming.NamingPolicy;
import dev.sluice.workflows.naming.PreparedFolder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Looks before the leap: names, lake, fence, files. */
public final class PrepareStage implements PrepareActivities {

  /** Names of left-out objects in an event; the rest is counted. */
  private static final int LEFT_OUT_SHOWN = 5;

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
    String landingId = landingId(lake, prefix, input);
    GenerationFiles files =
        GenerationFiles.list(sources.preparedFolder(trigger, folder), landingId);
    noteLeftOut(attempt, files.leftOut());
    LandingLedger.Key key = new LandingLedger.Key(lake.key(), landingId);
    lake.state()
        .write(
            dsl -> {
              Fences.requireHeld(dsl, target, input.attempt());
              LandingLedger.open(dsl, key, source, trigger.generation().value(), target);
              LandingLedger.list(
                  dsl, key, files.files().stream().map(LedgerFiles::listed).toList());
              return key;
            });
    return PrepareResult.ready(
        new Preparation(lakeName, schema, table, landingId, files.files().size(), files.bytes()));
  }

  /**
   * Where the generation lands. The objects of a published landing are the lake's for ever, also
   * once another generation is live: a further publication of the generation gets objects of its
   * own.
   */
  private static String landingId(LakeAccess lake, LandingPrefix prefix, PrepareInput input) {
    LandingLedger.Key key = new LandingLedger.Key(lake.key(), prefix.value());
    boolean published =
        lake.state()
            .read(dsl -> LandingLedger.find(dsl, key))
            .filter(landing -> landing.state() == LandingLedger.LandingState.PUBLISHED)
            .isPresent();
    if (!published) {
      return prefix.value();
    }
    String folder = prefix.value().substring(0, prefix.value().length() - 1);
    return folder + "-try-" + input.attempt().number() + "/";
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
        .findPending(WorkflowPath.REGISTER, attempt.source())
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
