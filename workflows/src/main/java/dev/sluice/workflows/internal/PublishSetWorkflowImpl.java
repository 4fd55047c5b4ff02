package dev.sluice.workflows.internal;

import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.PublishSetInput;
import dev.sluice.workflows.PublishSetProgress;
import dev.sluice.workflows.PublishSetResult;
import dev.sluice.workflows.PublishSetWorkflow;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.PublishSetActivities;
import dev.sluice.workflows.activity.PublishedSet;
import dev.sluice.workflows.activity.SetPublishing;
import dev.sluice.workflows.activity.TriggerDisposition;
import io.temporal.common.VersioningBehavior;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import io.temporal.workflow.WorkflowVersioningBehavior;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The workflow of a set: its members side by side, then one publication. */
public final class PublishSetWorkflowImpl implements PublishSetWorkflow {
  private final String name;
  private final List<SetMember> members;
  private RegisterStage stage = RegisterStage.TRIGGER;

  /** Why the set is not published. */
  private record Obstacle(
      SetMember member, RegisterStatus status, String reason, @Nullable TemporalFailure failure) {}

  /** Made by Temporal, before the first query is answered. */
  @WorkflowInit
  public PublishSetWorkflowImpl(PublishSetInput input) {
    name = input.name();
    members = input.members().stream().map(SetMember::new).toList();
  }

  @Override
  @WorkflowVersioningBehavior(VersioningBehavior.PINNED)
  public PublishSetResult run(PublishSetInput input) {
    Obstacle obstacle = null;
    try {
      obstacle = bringIn();
    } catch (CanceledFailure cancelled) {
      obstacle =
          new Obstacle(members.get(0), RegisterStatus.FAILED, "cancelled on request", cancelled);
    }
    Long snapshot = null;
    if (obstacle == null) {
      List<SetMember> due = members.stream().filter(SetMember::isToBePublished).toList();
      if (!due.isEmpty()) {
        enter(RegisterStage.PUBLISH);
        obstacle = publish(due);
      }
      snapshot = due.isEmpty() || obstacle != null ? null : snapshotOf(due);
    }
    if (obstacle != null) {
      giveUp(obstacle);
    }
    enter(RegisterStage.DONE);
    return ended(obstacle, snapshot);
  }

  private void enter(RegisterStage next) {
    stage = next;
    show();
  }

  /** How far every member is. */
  private void show() {
    StringBuilder details = new StringBuilder();
    details.append("Set `").append(Texts.oneLine(name)).append("`: **");
    details.append(stage.word()).append("**\n\n");
    for (SetMember member : members) {
      details.append("- ").append(member.state()).append('\n');
    }
    Workflow.setCurrentDetails(details.toString());
  }

  private static @Nullable Long snapshotOf(List<SetMember> due) {
    return Objects.requireNonNull(due.get(0).result(), "result").snapshotId();
  }

  /** Takes every member up to its verification; the first obstacle found, or null. */
  private @Nullable Obstacle bringIn() {
    for (SetMember member : members) {
      if (member.record(TriggerDisposition.RUNNING, null) == TriggerDisposition.REFUSED) {
        return new Obstacle(
            member,
            RegisterStatus.FAILED,
            "its order is of another kind than the source's earlier ones",
            null);
      }
    }
    enter(RegisterStage.GATE);
    for (SetMember member : members) {
      String closed = member.closedReason();
      if (closed != null) {
        return new Obstacle(member, RegisterStatus.SKIPPED, closed, null);
      }
    }
    enter(RegisterStage.OPEN);
    for (SetMember member : members) {
      Obstacle obstacle = attempted(member, () -> open(member));
      if (obstacle != null) {
        return obstacle;
      }
    }
    enter(RegisterStage.LAND);
    List<Promise<List<Obstacle>>> running = new ArrayList<>();
    for (SetMember member : members) {
      if (member.isToBePublished()) {
        running.add(Async.function(() -> found(attempted(member, member::bringIn))));
      }
    }
    // all of them end before anything is decided, so that nothing of a set is left at work
    List<Obstacle> obstacles = new ArrayList<>();
    running.forEach(each -> obstacles.addAll(each.get()));
    return obstacles.isEmpty() ? oneLake() : obstacles.get(0);
  }

  private static @Nullable String open(SetMember member) {
    member.open();
    return null;
  }

  private static List<Obstacle> found(@Nullable Obstacle obstacle) {
    return obstacle == null ? List.of() : List.of(obstacle);
  }

  /** A step of a member; its answer is why the member is stale, or null. */
  private interface Step {
    @Nullable String run();
  }

  private @Nullable Obstacle attempted(SetMember member, Step step) {
    try {
      String stale = step.run();
      show();
      return stale == null ? null : new Obstacle(member, RegisterStatus.STALE, stale, null);
    } catch (ActivityFailure failure) {
      AttemptRun.rethrowIfCancelled(failure);
      return failed(member, failure);
    }
  }

  /** An attempt that was overtaken is stale; whatever else an activity failed with is a failure. */
  private static Obstacle failed(SetMember member, ActivityFailure failure) {
    boolean fenced = Results.typeOf(failure).equals(FailureTypes.ATTEMPT_FENCED);
    return new Obstacle(
        member,
        fenced ? RegisterStatus.STALE : RegisterStatus.FAILED,
        Texts.reason(failure),
        fenced ? null : failure);
  }

  private @Nullable Obstacle oneLake() {
    String lake = null;
    for (SetMember member : members) {
      Preparation preparation = member.preparation();
      if (preparation != null) {
        if (lake != null && !lake.equals(preparation.lake())) {
          return new Obstacle(
              member,
              RegisterStatus.FAILED,
              "it goes to lake %s and an earlier member to lake %s; a snapshot is of one lake"
                  .formatted(preparation.lake(), lake),
              null);
        }
        lake = preparation.lake();
      }
    }
    return null;
  }

  private @Nullable Obstacle publish(List<SetMember> due) {
    PublishedSet published;
    try {
      published =
          AttemptRun.stub(
                  PublishSetActivities.class,
                  StageOptions.PUBLISH,
                  "publish %d tables in one snapshot: %s".formatted(due.size(), targets(due)))
              .publishSet(new SetPublishing(due.stream().map(SetMember::input).toList()));
    } catch (ActivityFailure failure) {
      if (failure.getCause() instanceof CanceledFailure cancelled) {
        return new Obstacle(due.get(0), RegisterStatus.FAILED, "cancelled on request", cancelled);
      }
      return failed(due.get(0), failure);
    }
    if (published.staleReason() != null) {
      return new Obstacle(due.get(0), RegisterStatus.STALE, published.staleReason(), null);
    }
    enter(RegisterStage.CLOSE);
    for (int i = 0; i < due.size(); i++) {
      LivePublication live = published.publications().get(i);
      SetMember member = due.get(i);
      detached(() -> member.close(RegisterStatus.COMPLETED, null, live));
    }
    return null;
  }

  private static String targets(List<SetMember> due) {
    return due.stream()
        .map(member -> Texts.target(member.input().preparation()))
        .collect(Collectors.joining(", "));
  }

  /** Closes what was opened and settles what was only asked for, also when cancelled. */
  private void giveUp(Obstacle obstacle) {
    enter(RegisterStage.CLOSE);
    String why =
        "set %s is published as a whole or not at all, and of %s: %s"
            .formatted(Texts.oneLine(name), obstacle.member().trigger().table(), obstacle.reason());
    for (SetMember member : members) {
      boolean own = member.equals(obstacle.member());
      if (member.isToBePublished()) {
        RegisterStatus status = own ? obstacle.status() : RegisterStatus.FAILED;
        detached(() -> member.close(status, own ? obstacle.reason() : why, null));
      } else if (member.result() == null) {
        detached(
            () -> {
              if (!member.isRefused()) {
                member.record(TriggerDisposition.SKIPPED, own ? obstacle.reason() : why);
              }
              member.close(RegisterStatus.SKIPPED, own ? obstacle.reason() : why, null);
            });
      }
    }
  }

  private static void detached(Runnable work) {
    Workflow.newDetachedCancellationScope(work).run();
  }

  private PublishSetResult ended(@Nullable Obstacle obstacle, @Nullable Long snapshot) {
    List<RegisterResult> results =
        members.stream().map(member -> Objects.requireNonNull(member.result(), "result")).toList();
    if (obstacle == null) {
      return new PublishSetResult(RegisterStatus.COMPLETED, null, snapshot, results);
    }
    String reason = obstacle.member().trigger().table() + ": " + obstacle.reason();
    PublishSetResult result =
        new PublishSetResult(obstacle.status(), Texts.cut(reason), null, results);
    if (obstacle.status() != RegisterStatus.FAILED) {
      return result;
    }
    if (obstacle.failure() instanceof CanceledFailure cancelled) {
      throw cancelled;
    }
    ApplicationFailure application =
        obstacle.failure() instanceof ActivityFailure failure ? Texts.application(failure) : null;
    throw ApplicationFailure.newBuilder()
        .setMessage(Texts.cut("set " + Texts.oneLine(name) + ": nothing was published; " + reason))
        .setType(application == null ? FailureTypes.INVALID_INPUT : application.getType())
        .setNonRetryable(true)
        .setDetails(result)
        .build();
  }

  @Override
  public PublishSetProgress progress() {
    int ready = (int) members.stream().filter(SetMember::isReady).count();
    return new PublishSetProgress(stage, ready, members.size());
  }
}
