package dev.sluice.workflows;

import dev.sluice.workflows.activity.AttemptClosing;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.ClosedAttempt;
import dev.sluice.workflows.activity.CopyActivities;
import dev.sluice.workflows.activity.CopyPlan;
import dev.sluice.workflows.activity.CopyPrepareInput;
import dev.sluice.workflows.activity.GateActivities;
import dev.sluice.workflows.activity.GateCheck;
import dev.sluice.workflows.activity.GateDecision;
import dev.sluice.workflows.activity.InspectActivities;
import dev.sluice.workflows.activity.InspectResult;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.LandActivities;
import dev.sluice.workflows.activity.LandResult;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.PrepareActivities;
import dev.sluice.workflows.activity.PrepareInput;
import dev.sluice.workflows.activity.PrepareResult;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.PublishResult;
import dev.sluice.workflows.activity.PublishSetActivities;
import dev.sluice.workflows.activity.PublishedSet;
import dev.sluice.workflows.activity.RestoreActivities;
import dev.sluice.workflows.activity.RestoreInput;
import dev.sluice.workflows.activity.RestorePlan;
import dev.sluice.workflows.activity.SetPublishing;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.StageProgress;
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.VerifyActivities;
import dev.sluice.workflows.activity.VerifyResult;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.upstream.DataModelingActivities;
import dev.sluice.workflows.upstream.ImportTableInput;
import dev.sluice.workflows.upstream.ImportedTable;
import dev.sluice.workflows.upstream.MaterializeModelInput;
import dev.sluice.workflows.upstream.MaterializedModel;
import dev.sluice.workflows.upstream.UpstreamImportActivities;
import io.temporal.activity.Activity;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Activities with a model of the world behind them: attempts are numbered, and a table has a newest
 * published generation that never goes backwards. They note each call and keep what they were
 * asked.
 */
final class ModelActivities
    implements GateActivities,
        JobActivities,
        PrepareActivities,
        LandActivities,
        InspectActivities,
        VerifyActivities,
        PublishActivities,
        PublishSetActivities,
        RestoreActivities,
        CopyActivities,
        UpstreamImportActivities,
        DataModelingActivities {
  static final long FILES = 3;
  static final long BYTES = 3000;
  static final long ROWS = 30;

  final List<String> calls = new CopyOnWriteArrayList<>();
  final List<TriggerRecord> triggers = new CopyOnWriteArrayList<>();
  final List<AttemptClosing> closings = new CopyOnWriteArrayList<>();
  final List<CopyPrepareInput> plans = new CopyOnWriteArrayList<>();

  volatile Function<GateCheck, GateDecision> gate = input -> GateDecision.open();
  volatile Function<TriggerRecord, TriggerReceipt> receipt = TriggerReceipt::asAsked;
  volatile Function<AttemptClosing, RegisterResult> close = AttemptClosing::result;
  volatile Function<PrepareInput, @Nullable String> staleAtPrepare = input -> null;
  volatile Function<CopyPrepareInput, CopyPlan> planCopy = input -> ready(input, 12);
  volatile Function<StageInput, LandResult> land = input -> new LandResult(FILES, BYTES);
  volatile Function<StageInput, VerifyResult> verify = input -> new VerifyResult(1, ROWS);
  volatile Function<StageInput, PublishResult> publish = this::publishUnlessOlder;

  private final Map<String, Integer> attempts = new ConcurrentHashMap<>();
  private final Map<String, RegisterTrigger> live = new ConcurrentHashMap<>();
  private final Map<String, LivePublication> publications = new ConcurrentHashMap<>();
  private final AtomicLong snapshots = new AtomicLong();

  @Override
  public GateDecision check(GateCheck input) {
    calls.add("gate");
    return gate.apply(input);
  }

  @Override
  public TriggerReceipt recordTrigger(TriggerRecord input) {
    calls.add("record-trigger");
    triggers.add(input);
    return receipt.apply(input);
  }

  @Override
  public OpenedAttempt openAttempt(AttemptOpening input) {
    calls.add("open-attempt");
    RegisterTrigger trigger = input.trigger();
    RegisterTrigger published = live.get(trigger.sourceSchemaId());
    if (published != null && published.generation().equals(trigger.generation())) {
      return OpenedAttempt.alreadyLive(
          Objects.requireNonNull(publications.get(trigger.sourceSchemaId())));
    }
    int number = attempts.merge(trigger.attemptId(), 1, Integer::sum);
    return OpenedAttempt.running(new AttemptRef(trigger.attemptId(), number));
  }

  @Override
  public ClosedAttempt closeAttempt(AttemptClosing input) {
    calls.add("close-attempt");
    closings.add(input);
    return new ClosedAttempt(close.apply(input));
  }

  @Override
  public PrepareResult prepare(PrepareInput input) {
    calls.add("prepare");
    String stale = staleAtPrepare.apply(input);
    return stale == null
        ? PrepareResult.ready(
            new Preparation(
                "main",
                "insights_data_imports_team_" + input.trigger().team(),
                "stripe_" + input.trigger().table(),
                "landing-" + input.attempt().key(),
                FILES,
                BYTES))
        : PrepareResult.stale(stale);
  }

  @Override
  public CopyPlan prepareCopy(CopyPrepareInput input) {
    calls.add("copy-prepare");
    plans.add(input);
    return planCopy.apply(input);
  }

  /** A version that can be landed. */
  static CopyPlan ready(CopyPrepareInput input, long version) {
    return CopyPlan.ready(
        new Preparation(
            "main",
            "insights_data_imports_team_" + input.trigger().team(),
            "stripe_" + input.trigger().table(),
            "landing-" + input.attempt().key() + "-" + version,
            FILES,
            BYTES),
        version);
  }

  @Override
  public LandResult landCopy(StageInput input) {
    calls.add("copy-land " + input.trigger().generation());
    return land.apply(input);
  }

  @Override
  public VerifyResult verifyCopy(StageInput input) {
    calls.add("copy-verify");
    return verify.apply(input);
  }

  @Override
  public LandResult land(StageInput input) {
    calls.add("land");
    return land.apply(input);
  }

  @Override
  public InspectResult inspect(StageInput input) {
    calls.add("inspect");
    return new InspectResult(ROWS, FILES, 4);
  }

  @Override
  public VerifyResult verify(StageInput input) {
    calls.add("verify");
    return verify.apply(input);
  }

  @Override
  public PublishedSet publishSet(SetPublishing input) {
    calls.add("publish-set");
    return new PublishedSet(
        null,
        input.members().stream()
            .map(member -> Objects.requireNonNull(publishUnlessOlder(member).publication()))
            .toList());
  }

  @Override
  public RestorePlan plan(RollbackRequest request) {
    calls.add("restore-plan");
    return new RestorePlan(Triggers.generation(request.sourceSchemaId(), 1), 7, null);
  }

  @Override
  public Preparation prepare(RestoreInput input) {
    calls.add("restore-prepare");
    return new Preparation(
        "main",
        input.request().schema(),
        input.request().table(),
        "landing-" + input.attempt().key(),
        FILES,
        BYTES,
        input.snapshot());
  }

  @Override
  public LandResult copy(StageInput input) {
    calls.add("restore-copy");
    return new LandResult(FILES, BYTES);
  }

  @Override
  public InspectResult inspectEmpty(StageInput input) {
    calls.add("restore-inspect-empty");
    return new InspectResult(0, 0, 4);
  }

  @Override
  public VerifyResult verifyRestored(StageInput input) {
    calls.add("restore-verify");
    return new VerifyResult(3, ROWS);
  }

  @Override
  public PublishResult publish(StageInput input) {
    calls.add("publish");
    return publish.apply(input);
  }

  @Override
  public ImportedTable importTable(ImportTableInput input) {
    calls.add("import-table");
    RegisterTrigger trigger = Triggers.generation(input.table().sourceSchemaId(), 1);
    return new ImportedTable(trigger.preparedFolder(), trigger.order());
  }

  @Override
  public MaterializedModel materialize(MaterializeModelInput input) {
    calls.add("materialize-model");
    return new MaterializedModel(
        "s3://source/models/" + input.model().savedQueryId(), ProducerOrder.deltaVersion(12));
  }

  /** The newest published generation of a source, by token; "none" before the first. */
  String liveGeneration(String sourceSchemaId) {
    RegisterTrigger trigger = live.get(sourceSchemaId);
    return trigger == null ? "none" : trigger.generation().value();
  }

  /** Publishes as the real one: the older generation is stale, the same one is published once. */
  PublishResult publishUnlessOlder(StageInput input) {
    String source = input.trigger().sourceSchemaId();
    RegisterTrigger published = live.get(source);
    if (published != null && published.order().isNewerThan(input.trigger().order())) {
      return PublishResult.stale("generation " + published.generation() + " is published already");
    }
    if (published == null || !published.equals(input.trigger())) {
      live.put(source, input.trigger());
      publications.put(
          source,
          new LivePublication(
              input.preparation().schema(),
              input.preparation().table(),
              snapshots.incrementAndGet(),
              ROWS,
              FILES,
              BYTES));
    }
    return PublishResult.published(Objects.requireNonNull(publications.get(source)));
  }

  /** Lands only after the gate was opened; notices a cancellation while it waits. */
  static Function<StageInput, LandResult> waitingFor(CountDownLatch started, CountDownLatch go) {
    return input -> {
      started.countDown();
      try {
        do {
          Activity.getExecutionContext().heartbeat(new StageProgress(1, FILES, 1000, BYTES));
        } while (!go.await(20, TimeUnit.MILLISECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Activity.wrap(e);
      }
      return new LandResult(FILES, BYTES);
    };
  }
}
