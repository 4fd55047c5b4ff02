package dev.sluice.workflows.internal;

import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.Preparation;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import org.jspecify.annotations.Nullable;

/** Makes results, and the failures that carry them. */
final class Results {
  private Results() {}

  static RegisterResult completed(
      RegisterTrigger trigger, LivePublication live, @Nullable String reason) {
    return new RegisterResult(
        RegisterStatus.COMPLETED,
        reason,
        null,
        trigger.attemptId(),
        trigger.generation().value(),
        live.schema(),
        live.table(),
        live.rows(),
        live.files(),
        live.bytes(),
        live.snapshotId());
  }

  /** Returns a result without a publication; the target is null when it was not resolved. */
  static RegisterResult unpublished(
      RegisterTrigger trigger, @Nullable Preparation target, RegisterStatus status, String reason) {
    return new RegisterResult(
        status,
        reason,
        null,
        trigger.attemptId(),
        trigger.generation().value(),
        target == null ? null : target.schema(),
        target == null ? null : target.table(),
        null,
        null,
        null,
        null);
  }

  /** Returns what a run ends with: the activity's type and text, and the result as details. */
  static ApplicationFailure failure(RegisterResult result, ActivityFailure cause) {
    return failure(result, typeOf(cause), cause);
  }

  /** Returns the type that an activity gave its failure. */
  static String typeOf(ActivityFailure cause) {
    ApplicationFailure application = Texts.application(cause);
    return application == null ? FailureTypes.REGISTER_FAILED : application.getType();
  }

  /** Returns what a run ends with; the cause is null when the run itself found the fault. */
  static ApplicationFailure failure(
      RegisterResult result, String type, @Nullable ActivityFailure cause) {
    return ApplicationFailure.newBuilder()
        .setMessage(String.valueOf(result.reason()))
        .setType(type)
        .setNonRetryable(true)
        .setDetails(result)
        .setCause(cause)
        .build();
  }
}
