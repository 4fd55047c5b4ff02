package dev.sluice.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.internal.TriggerSlot.Decision;
import dev.sluice.workflows.naming.ProducerOrder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TriggerSlotTest {
  private final RegisterTrigger running = version(5, "five");
  private final TriggerSlot slot = new TriggerSlot(running, null);

  /** An arrival that the home database agrees to. */
  private @Nullable Decision waits(RegisterTrigger trigger) {
    assertThat(slot.accept(trigger))
        .isEqualTo(new Decision(trigger, TriggerDisposition.PENDING, null));
    return slot.waits(trigger);
  }

  @Test
  void theFirstArrivalWaitsEvenWhenItIsOlderThanWhatRuns() {
    RegisterTrigger older = version(4, "four");

    assertThat(waits(older)).isNull();
    assertThat(slot.pending()).isEqualTo(older);
  }

  @Test
  void theNewerOfTwoWaits() {
    RegisterTrigger six = version(6, "six");
    RegisterTrigger seven = version(7, "seven");
    waits(six);

    assertThat(waits(seven))
        .isEqualTo(
            new Decision(
                six,
                TriggerDisposition.SUPERSEDED,
                "superseded by generation " + seven.generation() + " of job job"));
    assertThat(slot.accept(version(6, "six again")).disposition())
        .isEqualTo(TriggerDisposition.SUPERSEDED);
    assertThat(slot.pending()).isEqualTo(seven);
  }

  @Test
  void theLaterArrivalWinsATie() {
    waits(version(6, "six"));
    RegisterTrigger later = version(6, "another six");
    waits(later);

    assertThat(slot.pending()).isEqualTo(later);
  }

  @Test
  void whatTheHomeDatabaseRefusesTakesNoPlace() {
    RegisterTrigger six = version(6, "six");
    waits(six);

    assertThat(slot.accept(version(9, "of another source")).disposition())
        .isEqualTo(TriggerDisposition.PENDING);
    assertThat(slot.pending()).isEqualTo(six);
  }

  @Test
  void whatRunsAndWhatWaitsAreDuplicates() {
    RegisterTrigger six = version(6, "six");
    waits(six);

    assertThat(slot.accept(running))
        .isEqualTo(
            new Decision(
                running,
                TriggerDisposition.DUPLICATE,
                "generation " + running.generation() + " is being brought in"));
    assertThat(slot.accept(six))
        .isEqualTo(
            new Decision(
                six,
                TriggerDisposition.DUPLICATE,
                "generation " + six.generation() + " is waiting already"));
    assertThat(slot.pending()).isEqualTo(six);
  }

  @Test
  void aFolderOfAFixedNameHoldsAnotherGenerationForAnotherJob() {
    RegisterTrigger nextJob = trigger("job-2", "five", ProducerOrder.deltaVersion(5));

    assertThat(waits(nextJob)).isNull();
    assertThat(slot.pending()).isEqualTo(nextJob);
  }

  @Test
  void aFolderOfAFixedNameHoldsAnotherGenerationOnceItsOrderIsNewer() {
    RegisterTrigger newer = version(6, "five");

    assertThat(waits(newer)).isNull();
    assertThat(waits(version(7, "five"))).isNull();
    assertThat(slot.accept(newer).disposition()).isEqualTo(TriggerDisposition.DUPLICATE);
  }

  @Test
  void whatJustEndedIsADuplicateUnlessItFailed() {
    slot.ended(result(running, RegisterStatus.COMPLETED));
    assertThat(slot.accept(running))
        .isEqualTo(
            new Decision(
                running,
                TriggerDisposition.DUPLICATE,
                "generation " + running.generation() + " has just ended as completed"));

    slot.ended(result(running, RegisterStatus.FAILED));
    waits(running);
    assertThat(slot.pending()).isEqualTo(running);
  }

  @Test
  void whatThePreviousRunPublishedIsADuplicate() {
    RegisterTrigger four = version(4, "four");
    TriggerSlot next = new TriggerSlot(running, result(four, RegisterStatus.COMPLETED));

    assertThat(next.accept(four))
        .isEqualTo(
            new Decision(
                four,
                TriggerDisposition.DUPLICATE,
                "generation " + four.generation() + " has just been published"));
    assertThat(next.pending()).isNull();
  }

  @Test
  void anOrderOfAnotherKindIsRefused() {
    RegisterTrigger other =
        trigger("job", "eight", new ProducerOrder(ProducerOrder.Kind.FOLDER_EPOCH, 8));

    assertThat(slot.accept(other))
        .isEqualTo(
            new Decision(
                other,
                TriggerDisposition.REFUSED,
                "order folder_epoch:8 cannot be compared with delta_version:5"));
    assertThat(slot.pending()).isNull();
  }

  @Test
  void nothingIsComparedWithARefusedTrigger() {
    RegisterTrigger other =
        trigger("job", "eight", new ProducerOrder(ProducerOrder.Kind.FOLDER_EPOCH, 8));
    slot.refused();

    assertThat(waits(other)).isNull();
    assertThat(slot.pending()).isEqualTo(other);
  }

  @Test
  void aTriggerOfAnotherSourceIsRefused() {
    RegisterTrigger other =
        new RegisterTrigger(
            1, "job", "another", "S3", null, "t", "six", ProducerOrder.deltaVersion(6), null, null);

    assertThat(slot.accept(other).disposition()).isEqualTo(TriggerDisposition.REFUSED);
    assertThat(slot.accept(other).reason()).contains("is of another source");
  }

  private static RegisterResult result(RegisterTrigger trigger, RegisterStatus status) {
    return Results.unpublished(trigger, null, status, "test");
  }

  private static RegisterTrigger version(long version, String folder) {
    return trigger("job", folder, ProducerOrder.deltaVersion(version));
  }

  private static RegisterTrigger trigger(String job, String folder, ProducerOrder order) {
    return new RegisterTrigger(1, job, "source", "S3", null, "t", folder, order, null, null);
  }
}
