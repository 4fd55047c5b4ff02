package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.CheckResults;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StoredTrigger;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.jobs.TriggerStore;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.InspectionBasis;
import dev.sluice.activities.verify.SourceCounts;
import dev.sluice.catalog.Column;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RollbackRequest;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.InspectResult;
import dev.sluice.workflows.activity.LandResult;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.RestoreActivities;
import dev.sluice.workflows.activity.RestoreInput;
import dev.sluice.workflows.activity.RestorePlan;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.VerifyResult;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.GenerationToken;
import dev.sluice.workflows.naming.LandingPrefix;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Brings an earlier generation back. Its objects are always copied to fresh keys: their rows in the
 * catalog have ended or will, and expiry deletes an object whose row no snapshot shows any more.
 */
public final class RestoreStage implements RestoreActivities {

  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_.-]{1,60}");

  private final SourceJobs jobs;
  private final TriggerStore triggers;
  private final CheckResults checks;
  private final Lakes lakes;
  private final Failures failures;

  /** Makes the stage. */
  public RestoreStage(
      SourceJobs jobs, TriggerStore triggers, CheckResults checks, Lakes lakes, Failures failures) {
    this.jobs = jobs;
    this.triggers = triggers;
    this.checks = checks;
    this.lakes = lakes;
    this.failures = failures;
  }

  @Override
  public RestorePlan plan(RollbackRequest request) {
    return failures.mapped(() -> planned(request));
  }

  private RestorePlan planned(RollbackRequest request) throws InterruptedException {
    LakeAccess lake = lakes.require(request.lake());
    String table = table(request);
    List<Publication> history =
        lake.state().read(dsl -> Publications.history(dsl, target(lake, request)));
    List<Publication> candidates =
        history.stream()
            .filter(each -> each.generation().equals(request.generation()))
            // the name may be another source's by now
            .filter(each -> each.attempt().source().equals(source(request)))
            .toList();
    if (candidates.isEmpty()) {
      throw failures.refused(RestoreErrors.unknownGeneration(table, request.generation(), history));
    }
    String key = request.key() == null ? "after-" + history.get(0).snapshotId() : request.key();
    if (!KEY.matcher(key).matches()) {
      throw failures.refused(RestoreErrors.badKey(key));
    }
    RegisterTrigger trigger = trigger(request, candidates, "rollback-" + key);
    Optional<LivePublication> live =
        done(lake, trigger)
            .or(() -> Optional.of(history.get(0)).filter(candidates::contains))
            .map(PublishStage::live);
    if (live.isPresent()) {
      return new RestorePlan(trigger, live.get().snapshotId(), live.get());
    }
    RestoredContent content = content(lake, candidates);
    content.requireWhole();
    requireNoOther(request, trigger);
    return new RestorePlan(trigger, content.snapshotId(), null);
  }

  private static Optional<Publication> done(LakeAccess lake, RegisterTrigger trigger) {
    return lake.state()
        .read(
            dsl ->
                Publications.findByAttemptId(
                    dsl,
                    lake.key(),
                    trigger.path(),
                    Attempts.source(trigger),
                    trigger.attemptId()));
  }

  /** What the newest of the publications was that has not expired; all are of one generation. */
  private RestoredContent content(LakeAccess lake, List<Publication> candidates) {
    Publication newest = candidates.get(0);
    return candidates.stream()
        .flatMap(each -> RestoredContent.find(lake, each, failures).stream())
        .findFirst()
        .orElseThrow(
            () ->
                failures.refused(
                    RestoreErrors.expired(
                        newest.target().schema() + "." + newest.target().table(),
                        newest.generation(),
                        candidates)));
  }

  /**
   * An attempt that runs would be overtaken, and its newer generation be lost until the next
   * import; one of this very request that was left behind is taken over.
   */
  private void requireNoOther(RollbackRequest request, RegisterTrigger trigger) {
    SourceRef source = Attempts.source(trigger);
    Optional<SourceJob> other =
        jobs.running().stream()
            .filter(job -> job.key().source().equals(source))
            .filter(job -> !job.key().attempt().attemptId().equals(trigger.attemptId()))
            .findFirst();
    if (other.isPresent()) {
      throw failures.conflict(RestoreErrors.running(table(request), other.get()));
    }
  }

  /** The trigger that once brought the generation in, under a job of the rollback's own. */
  private RegisterTrigger trigger(
      RollbackRequest request, List<Publication> candidates, String jobId) {
    SourceRef source = source(request);
    Publication newest = candidates.get(0);
    Optional<RegisterTrigger> first =
        candidates.stream()
            .flatMap(
                each ->
                    triggers
                        .find(each.attempt().path(), source, each.attempt().attempt().attemptId())
                        .stream())
            .map(StoredTrigger::trigger)
            .findFirst();
    WorkflowPath path = newest.attempt().path();
    return new RegisterTrigger(
        request.team(),
        jobId,
        request.sourceSchemaId(),
        first.map(RegisterTrigger::sourceType).orElse(""),
        first.map(RegisterTrigger::prefix).orElse(null),
        first.map(RegisterTrigger::table).orElse(request.table()),
        switch (path) {
          case REGISTER ->
              first
                  .map(RegisterTrigger::preparedFolder)
                  .orElse("rollback__query_" + request.generation());
          case COPY -> "";
          case MODEL -> first.map(RegisterTrigger::preparedFolder).orElse("rollback");
        },
        newest.order(),
        request.lake(),
        first.map(RegisterTrigger::options).orElse(null),
        path,
        switch (path) {
          case REGISTER -> null;
          case COPY, MODEL -> GenerationToken.findDeltaVersion(request.generation()).orElse(null);
        });
  }

  @Override
  public Preparation prepare(RestoreInput input) {
    return failures.mapped(() -> prepared(input));
  }

  private Preparation prepared(RestoreInput input) {
    RollbackRequest request = input.request();
    LakeAccess lake = lakes.require(request.lake());
    Target target = target(lake, request);
    AttemptKey attempt = Attempts.key(input.trigger(), input.attempt());
    jobs.noteTarget(attempt, request.lake(), request.schema(), request.table());
    claim(lake, target, attempt, input.attempt());
    Publication publication = publication(lake, target, input.snapshot());
    RestoredContent content = content(lake, List.of(publication));
    String landingId =
        LandingPrefix.of(
                request.schema(),
                request.table(),
                request.sourceSchemaId(),
                input.trigger().jobId(),
                input.trigger().generation())
            .value();
    List<RestoredContent.Item> items = content.items(landingId);
    List<LandingFiles.Planned> landed = content.landed(landingId);
    LandingLedger.Key key = new LandingLedger.Key(lake.key(), landingId);
    lake.state()
        .write(
            dsl -> {
              Fences.requireHeld(dsl, target, input.attempt());
              // named by the ledger before anything is copied, so that no clean-up takes it
              LandingLedger.open(dsl, key, attempt.source(), publication.generation(), target);
              LandingFiles.list(dsl, key, items.stream().map(RestoredContent.Item::file).toList());
              LandingFiles.reused(dsl, key, RestoredContent.objects(items));
              content.plan().ifPresent(plan -> LandingLedger.plan(dsl, key, plan));
              LandingFiles.landed(dsl, key, landed);
              return key;
            });
    return new Preparation(
        request.lake(),
        request.schema(),
        request.table(),
        landingId,
        items.size(),
        items.stream().mapToLong(item -> item.file().sizeBytes()).sum(),
        input.snapshot());
  }

  private void claim(LakeAccess lake, Target target, AttemptKey key, AttemptRef attempt) {
    long opening =
        jobs.find(key).orElseThrow(() -> failures.fenced(key + " is not known any more")).opening();
    lake.state()
        .write(
            dsl -> {
              Fences.claim(dsl, target, attempt, opening);
              return attempt;
            });
  }

  private Publication publication(LakeAccess lake, Target target, long snapshot) {
    return lake.state().read(dsl -> Publications.history(dsl, target)).stream()
        .filter(each -> each.snapshotId() == snapshot)
        .findFirst()
        .orElseThrow(() -> failures.fenced(RestoreErrors.renamed(target, snapshot)));
  }

  @Override
  public LandResult copy(StageInput input) {
    return failures.mapped(() -> copied(input));
  }

  private LandResult copied(StageInput input) throws InterruptedException {
    LakeAccess lake = lakes.require(input.preparation().lake());
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    Beats beats = new Beats(input.preparation());
    List<LedgerFile> left =
        lake.state().read(dsl -> LandingFiles.files(dsl, key)).stream()
            .filter(file -> file.reusedPath() != null)
            .toList();
    FreshCopies copies = new FreshCopies(lake, input, beats::beat);
    List<LedgerFile> gone = copies.withoutStandIn(left);
    if (!gone.isEmpty()) {
      throw failures.refused(
          RestoreErrors.objectsGone(
              input.preparation().schema() + "." + input.preparation().table(),
              input.trigger().generation().value(),
              lake.store().uri(gone.get(0).objectKey())));
    }
    copies.copy(left, lake.store());
    return Landings.landed(lake, input);
  }

  @Override
  public InspectResult inspectEmpty(StageInput input) {
    return failures.mapped(
        () -> {
          LakeAccess lake = lakes.require(input.preparation().lake());
          RestoredContent content = content(lake, List.of(restored(lake, input)));
          Inspection inspection =
              new Inspection(
                  content.table().columns().stream().map(Column::spec).toList(),
                  List.of(),
                  List.of(),
                  0);
          return Landings.inspected(lake, input, inspection, InspectionBasis.NONE);
        });
  }

  private Publication restored(LakeAccess lake, StageInput input) {
    return publication(
        lake,
        Attempts.target(lake, input.preparation()),
        Objects.requireNonNull(input.preparation().restores(), "restores"));
  }

  @Override
  public VerifyResult verifyRestored(StageInput input) {
    return failures.mapped(() -> verified(input));
  }

  private VerifyResult verified(StageInput input) {
    LakeAccess lake = lakes.require(input.preparation().lake());
    Publication then = restored(lake, input);
    // files and bytes as the catalog has them: a compaction may have merged them since
    SourceCounts expected =
        new SourceCounts(input.preparation().files(), then.rows(), input.preparation().bytes());
    return Landings.verified(
        lake,
        input,
        checks,
        failures,
        expected,
        failed ->
            "%s.%s: the copies of generation %s are not what was published at snapshot %d; %s; the copies are quarantined and the live table is untouched; ask again"
                .formatted(
                    input.preparation().schema(),
                    input.preparation().table(),
                    then.generation(),
                    then.snapshotId(),
                    failed));
  }

  private static SourceRef source(RollbackRequest request) {
    return new SourceRef(request.team(), request.sourceSchemaId());
  }

  private static Target target(LakeAccess lake, RollbackRequest request) {
    return new Target(lake.key(), request.schema(), request.table());
  }

  private static String table(RollbackRequest request) {
    return request.schema() + "." + request.table();
  }
}
