package dev.sluice.activities.jobs;

import static dev.sluice.activities.jobs.StateFixture.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.time.Instant;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LakeStateTest {
  private static final Target TARGET = new Target("ducklake", "imports", "flights");
  private static final AttemptRef FIRST = new AttemptRef("job-1:1", 1);
  private static final AttemptRef SECOND = new AttemptRef("job-2:2", 1);

  private final StateFixture state = new StateFixture();

  @AfterEach
  void close() {
    state.close();
  }

  @Test
  void theNewestSnapshotIsLiveAndTheRestIsHistory() {
    publish(TARGET, 5, FIRST, 1);
    publish(TARGET, 8, SECOND, 2);
    publish(new Target("second_lake", "imports", "flights"), 3, FIRST, 1);

    state.home.read(
        dsl -> {
          assertThat(PublicationStore.findLive(dsl, TARGET).orElseThrow())
              .isEqualTo(publication(TARGET, 8, SECOND, 2));
          assertThat(PublicationStore.history(dsl, TARGET))
              .extracting(Publication::snapshotId)
              .containsExactly(8L, 5L);
          assertThat(PublicationStore.allLive(dsl, "ducklake")).hasSize(1);
          assertThat(PublicationStore.findByAttempt(dsl, "ducklake", key(FIRST)))
              .contains(publication(TARGET, 5, FIRST, 1));
          assertThat(PublicationStore.findByAttempt(dsl, "ducklake", key(new AttemptRef("x:1", 1))))
              .isEmpty();
          return PublicationStore.findByAttemptId(
              dsl, "ducklake", WorkflowPath.REGISTER, SOURCE, "job-2:2");
        });
  }

  @Test
  void anAttemptMustHoldTheFenceToPublish() {
    assertThatThrownBy(() -> advance(FIRST, 1))
        .hasMessage(
            "lake ducklake, table imports.flights: attempt job-1:1#1 may not go on; the fence is"
                + " held by nobody (it was never claimed); nothing needs to be done, a new trigger"
                + " starts a new attempt")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.ATTEMPT_FENCED, StateException::kind);

    claim(FIRST, 10);
    claim(FIRST, 10);
    advance(FIRST, 1);
    assertThat(fence().published()).isEqualTo(order(1));
  }

  @Test
  void aLaterAttemptTakesTheFenceAndTheEarlierCannotTakeItBack() {
    claim(FIRST, 10);
    claim(SECOND, 11);

    assertThatThrownBy(() -> claim(FIRST, 10))
        .hasMessageContaining("the fence is held by attempt job-2:2#1");
    assertThatThrownBy(() -> advance(FIRST, 9)).hasMessageContaining("may not go on");
    advance(SECOND, 2);
  }

  @Test
  void aRevokedAttemptCannotPublishNorClaimAgain() {
    claim(FIRST, 10);
    write(dsl -> FenceStore.revoke(dsl, TARGET, FIRST, "its worker was lost"));

    assertThatThrownBy(() -> advance(FIRST, 1))
        .hasMessageContaining("held by nobody (its worker was lost)");
    assertThatThrownBy(() -> claim(FIRST, 10))
        .hasMessageContaining("held by nobody (its worker was lost)");

    claim(SECOND, 11);
    write(dsl -> FenceStore.revoke(dsl, TARGET, FIRST, "late"));
    advance(SECOND, 2);
    assertThat(fence().reason()).isNull();
  }

  @Test
  void aGenerationNeverGoesBackwards() {
    claim(SECOND, 10);
    advance(SECOND, 7);
    claim(FIRST, 11);

    assertThatThrownBy(() -> advance(FIRST, 6))
        .hasMessage(
            "lake ducklake, table imports.flights: the generation is older than what was published;"
                + " its order is folder_epoch:6, published is folder_epoch:7 (generation g7);"
                + " nothing needs to be done")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.STALE_GENERATION, StateException::kind);
    advance(FIRST, 7);
    advance(FIRST, 8);
    assertThatThrownBy(
            () ->
                write(
                    dsl ->
                        FenceStore.advance(
                            dsl, TARGET, FIRST, ProducerOrder.deltaVersion(99), "g")))
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.ORDER_KIND, StateException::kind)
        .extracting(Throwable::getMessage)
        .asString()
        .contains("ordered by folder_epoch");
  }

  @Test
  void aRolledBackAdvanceLeavesTheFence() {
    claim(FIRST, 10);
    assertThatThrownBy(
            () ->
                write(
                    dsl -> {
                      FenceStore.advance(dsl, TARGET, FIRST, order(5), "g5");
                      throw new IllegalArgumentException("the commit failed");
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the commit failed");
    assertThat(fence().published()).isNull();
  }

  @Test
  void pinsHoldUntilTheyExpire() {
    Instant noon = Instant.parse("2026-11-29T12:00:00Z");
    write(
        dsl -> {
          Pins.set(dsl, "ducklake", new Pins.Pin("audit", 4, "ann", "year end", null));
          Pins.set(dsl, "ducklake", new Pins.Pin("lease", 2, "reader", "scan", noon));
          Pins.set(dsl, "other", new Pins.Pin("audit", 1, "ann", "other lake", null));
        });

    assertThat(oldest(noon.minusSeconds(1))).isEqualTo(2);
    assertThat(oldest(noon)).isEqualTo(4);
    write(dsl -> Pins.release(dsl, "ducklake", "audit"));
    assertThat(
            state
                .home
                .read(dsl -> Pins.oldestHeld(dsl, "ducklake", noon).isPresent())
                .booleanValue())
        .isFalse();
  }

  private long oldest(Instant at) {
    return state.home.read(dsl -> Pins.oldestHeld(dsl, "ducklake", at).orElseThrow());
  }

  private FenceStore.Fence fence() {
    return state.home.read(dsl -> FenceStore.find(dsl, TARGET).orElseThrow());
  }

  private void claim(AttemptRef attempt, long opening) {
    write(dsl -> FenceStore.claim(dsl, TARGET, attempt, opening));
  }

  private void advance(AttemptRef attempt, long order) {
    write(dsl -> FenceStore.advance(dsl, TARGET, attempt, order(order), "g" + order));
  }

  private void publish(Target target, long snapshot, AttemptRef attempt, long order) {
    write(dsl -> PublicationStore.insert(dsl, publication(target, snapshot, attempt, order)));
  }

  private void write(Consumer<DSLContext> work) {
    state.home.write(
        dsl -> {
          work.accept(dsl);
          return "done";
        });
  }

  private static Publication publication(
      Target target, long snapshot, AttemptRef attempt, long order) {
    return new Publication(
        target, snapshot, 3, key(attempt), "job", "g" + order, order(order), 100, 4, 4096);
  }

  private static AttemptKey key(AttemptRef attempt) {
    return StateFixture.key(attempt);
  }

  private static ProducerOrder order(long value) {
    return new ProducerOrder(ProducerOrder.Kind.FOLDER_EPOCH, value);
  }
}
