package dev.sluice.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.internal.TriggerSlot.Decision;
import dev.sluice.workflows.naming.ProducerOrder;
import org.junit.jupiter.api.Test;

class TriggerSlotTest {
  private final RegisterTrigger running = version(5, "five");
  private final TriggerSlot slot = new TriggerSlot(running, null);

  @Test
  void theFirstArrivalWaitsEvenWhenItIsOlderThanWhatRuns() {
    RegisterTrigger older = version(4, "four");

    assertThat(slot.accept(older))
        .containsExactly(new Decision(older, TriggerDisposition.PENDING, null));
    assertThat(slot.pending()).isEqualTo(older);
  }

  @Test
  void theNewerOfTwoWaits() {
    RegisterTrigger six = version(6, "six");
    RegisterTrigger seven = version(7, "seven");
    slot.accept(six);

    assertThat(slot.accept(seven))
        .containsExactly(
            new Decision(
                six,
                TriggerDisposition.SUPERSEDED,
                "superseded by generation " + seven.generation() + " of job job"),
            new Decision(seven, TriggerDisposition.PENDING, null));
    assertThat(slot.accept(version(6, "six again")))
        .singleElement()
        .extracting(Decision::disposition)
        .isEqualTo(TriggerDisposition.SUPERSEDED);
    assertThat(slot.pending()).isEqualTo(seven);
  }

  @Test
  void theLaterArrivalWinsATie() {
    slot.accept(version(6, "six"));
    RegisterTrigger later = version(6, "another six");
    slot.accept(later);

    assertThat(slot.pending()).isEqualTo(later);
  }

  @Test
  void whatRunsAndWhatWaitsAreDuplicates() {
    RegisterTrigger six = version(6, "six");
    slot.accept(six);

    assertThat(slot.accept(running))
        .containsExactly(
            new Decision(
                running,
                TriggerDisposition.DUPLICATE,
                "generation " + running.generation() + " is being registered"));
    assertThat(slot.accept(six))
        .containsExactly(
            new Decision(
                six,
                TriggerDisposition.DUPLICATE,
                "generation " + six.generation() + " is waiting already"));
    assertThat(slot.pending()).isEqualTo(six);
  }

  @Test
  void whatJustEndedIsADuplicateUnlessItFailed() {
    slot.ended(result(running, RegisterStatus.COMPLETED));
    assertThat(slot.accept(running))
        .containsExactly(
            new Decision(
                running,
                TriggerDisposition.DUPLICATE,
                "generation " + running.generation() + " has just ended as completed"));

    slot.ended(result(running, RegisterStatus.FAILED));
    slot.accept(running);
    assertThat(slot.pending()).isEqualTo(running);
  }

  @Test
  void whatThePreviousRunPublishedIsADuplicate() {
    RegisterTrigger four = version(4, "four");
    TriggerSlot next = new TriggerSlot(running, result(four, RegisterStatus.COMPLETED));

    assertThat(next.accept(four))
        .containsExactly(
            new Decision(
                four,
                TriggerDisposition.DUPLICATE,
                "generation " + four.generation() + " has just been published"));
    assertThat(next.pending()).isNull();
  }

  @Test
  void anOrderOfAnotherKindIsRefused() {
    RegisterTrigger other = trigger("eight", new ProducerOrder(ProducerOrder.Kind.FOLDER_EPOCH, 8));

    assertThat(slot.accept(other))
        .containsExactly(
            new Decision(
                other,
                TriggerDisposition.REFUSED,
                "order folder_epoch:8 cannot be compared with delta_version:5"));
    assertThat(slot.pending()).isNull();
  }

  @Test
  void onlyTheWaitingTriggerCanBeDropped() {
    RegisterTrigger six = version(6, "six");
    slot.accept(six);

    slot.drop(version(7, "seven"));
    assertThat(slot.pending()).isEqualTo(six);
    slot.drop(six);
    assertThat(slot.pending()).isNull();
  }

  private static RegisterResult result(RegisterTrigger trigger, RegisterStatus status) {
    return Results.unpublished(trigger, null, status, "test");
  }

  private static RegisterTrigger version(long version, String folder) {
    return trigger(folder, ProducerOrder.deltaVersion(version));
  }

  private static RegisterTrigger trigger(String folder, ProducerOrder order) {
    return new RegisterTrigger(1, "job", "source", "S3", null, "t", folder, order, null, null);
  }
}
