package dev.sluice.workflows;

import dev.sluice.workflows.activity.AttemptClosing;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.ClosedAttempt;
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
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.VerifyActivities;
import dev.sluice.workflows.activity.VerifyResult;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Every activity, answering well unless told otherwise, and noting each call. A test replaces an
 * answer by setting the stage's field before it starts a run.
 */
final class RecordingActivities
    implements GateActivities,
        JobActivities,
        PrepareActivities,
        LandActivities,
        InspectActivities,
        VerifyActivities,
        PublishActivities {
  static final LivePublication LIVE = new LivePublication("s", "t", 42, 7, 2, 900);

  final List<String> calls = new CopyOnWriteArrayList<>();
  final List<TriggerRecord> triggers = new CopyOnWriteArrayList<>();
  final List<AttemptClosing> closings = new CopyOnWriteArrayList<>();
  final CountDownLatch landing = new CountDownLatch(1);
  volatile CountDownLatch receipts = new CountDownLatch(0);
  volatile GateDecision gate = GateDecision.open();
  volatile OpenedAttempt opened = OpenedAttempt.running(new AttemptRef("job:1", 1));
  volatile PrepareResult prepared =
      PrepareResult.ready(new Preparation("lake", "s", "t", "landing", 2, 900));
  volatile CountDownLatch mayLand = new CountDownLatch(0);
  volatile UnaryOperator<PublishResult> publishing = UnaryOperator.identity();
  volatile UnaryOperator<VerifyResult> verifying = UnaryOperator.identity();

  @Override
  public GateDecision check(GateCheck input) {
    calls.add("gate");
    return gate;
  }

  @Override
  public TriggerReceipt recordTrigger(TriggerRecord input) {
    triggers.add(input);
    receipts.countDown();
    return TriggerReceipt.asAsked(input);
  }

  @Override
  public OpenedAttempt openAttempt(AttemptOpening input) {
    calls.add("open " + input.trigger().generation());
    return opened;
  }

  @Override
  public ClosedAttempt closeAttempt(AttemptClosing input) {
    calls.add("close " + input.result().status().word());
    closings.add(input);
    return new ClosedAttempt(input.result());
  }

  @Override
  public PrepareResult prepare(PrepareInput input) {
    calls.add("prepare");
    return prepared;
  }

  @Override
  public LandResult land(StageInput input) {
    calls.add("land");
    landing.countDown();
    ActivityExecutionContext context = Activity.getExecutionContext();
    try {
      while (!mayLand.await(100, TimeUnit.MILLISECONDS)) {
        context.heartbeat(null);
      }
    } catch (InterruptedException | ActivityCompletionException stopped) {
      if (stopped instanceof ActivityCompletionException cancelled) {
        throw cancelled;
      }
      Thread.currentThread().interrupt();
    }
    return new LandResult(2, 900);
  }

  @Override
  public InspectResult inspect(StageInput input) {
    calls.add("inspect");
    return new InspectResult(7, 2, 3);
  }

  @Override
  public VerifyResult verify(StageInput input) {
    calls.add("verify");
    return verifying.apply(new VerifyResult(4, 7));
  }

  @Override
  public PublishResult publish(StageInput input) {
    calls.add("publish");
    return publishing.apply(PublishResult.published(LIVE));
  }
}
