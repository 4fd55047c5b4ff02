package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StoredTrigger;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.landing.DeltaPlan;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.naming.LandingPrefix;
import dev.sluice.workflows.naming.NamingPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the table that a generation is for, and takes it for an attempt, whatever its path. */
final class TargetClaims {

  private final PrepareStage.Home home;
  private final Lakes lakes;
  private final Failures failures;

  TargetClaims(PrepareStage.Home home, Lakes lakes, Failures failures) {
    this.home = home;
    this.lakes = lakes;
    this.failures = failures;
  }

  /**
   * A table that an attempt is for.
   *
   * @param attempt the attempt
   * @param lake its lake
   * @param target the table by the lake's key
   */
  record Claimed(AttemptKey attempt, LakeAccess lake, Target target) {

    /** Where a generation lands unless that is taken. */
    LandingPrefix prefix(RegisterTrigger generation) {
      return LandingPrefix.of(
          target.schema(),
          target.table(),
          attempt.source().schemaId(),
          generation.jobId(),
          generation.generation());
    }

    private LandingLedger.Key landing(String landingId) {
      return new LandingLedger.Key(lake.key(), landingId);
    }

    /**
     * Opens the landing of a generation and lists its files, as long as the attempt has the table.
     *
     * @param plan what the version is, of {@link DeltaPlan#text}; null when it is no Delta table
     */
    void open(
        String landingId,
        RegisterTrigger generation,
        @Nullable String plan,
        List<LedgerFile> files) {
      LandingLedger.Key key = landing(landingId);
      lake.state()
          .write(
              dsl -> {
                Fences.requireHeld(dsl, target, attempt.attempt());
                LandingLedger.open(
                    dsl, key, attempt.source(), generation.generation().value(), target);
                if (plan != null) {
                  LandingLedger.plan(dsl, key, plan);
                }
                LandingFiles.list(dsl, key, files);
                return key;
              });
    }

    Preparation preparation(String landingId, long files, long bytes) {
      return new Preparation(lake.name(), target.schema(), target.table(), landingId, files, bytes);
    }
  }

  /**
   * Resolves the table of the trigger's source, and makes the source its owner.
   *
   * @throws dev.sluice.activities.jobs.StateException when another source owns it
   */
  Claimed claim(RegisterTrigger trigger, AttemptRef ref) {
    SourceRef source = Attempts.source(trigger);
    Provisioning.Team team = home.provisioning().requireTeam(source.team());
    NamingPolicy naming = NamingPolicy.ofId(team.namingVersion());
    Target name = name(trigger, team, naming);
    String lakeName = name.lake();
    String schema = name.schema();
    String table = name.table();
    // what cannot be a path is refused before anything is claimed
    LandingPrefix.of(schema, table, source.schemaId(), trigger.jobId(), trigger.generation());
    home.names().claim(source, name, naming.id());
    AttemptKey attempt = Attempts.key(trigger, ref);
    home.jobs().noteTarget(attempt, lakeName, schema, table);
    LakeAccess lake = lakes.require(lakeName);
    return new Claimed(attempt, lake, new Target(lake.key(), schema, table));
  }

  /** A model whose label has changed keeps the name it has; the lake is the configured name. */
  private Target name(RegisterTrigger trigger, Provisioning.Team team, NamingPolicy naming) {
    String lake = trigger.lake() == null ? team.lake() : trigger.lake();
    return switch (trigger.path()) {
      case REGISTER, COPY ->
          new Target(
              lake,
              team.importsSchema(),
              naming.importTable(trigger.sourceType(), trigger.prefix(), trigger.table()));
      case MODEL ->
          home.names()
              .find(Attempts.source(trigger))
              .map(TableNames.Assigned::target)
              .orElseGet(
                  () ->
                      new Target(
                          lake,
                          team.modelingSchema(),
                          naming.modelTable(
                              trigger.table(), trigger.prefix() == null ? "" : trigger.prefix())));
    };
  }

  /** Takes the fence; a generation that is older than what is live or waits is not begun. */
  Optional<String> staleReason(Claimed claimed, RegisterTrigger trigger, AttemptRef ref) {
    LakeAccess lake = claimed.lake();
    Target target = claimed.target();
    AttemptKey attempt = claimed.attempt();
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
                  Fences.claim(dsl, target, ref, opening);
                  if (gone) {
                    Fences.forgetGeneration(dsl, target);
                  }
                  return new Judged(
                      Fences.check(dsl, target, ref, trigger.order(), trigger.generation().value()),
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
}
