package dev.sluice.activities.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.Fences.Verdict;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FencesTest {
  private static final Target TARGET = new Target("lake_main", "imports", "flights");
  private static final AttemptRef FIRST = new AttemptRef("job-1:g1", 1);
  private static final AttemptRef SECOND = new AttemptRef("job-2:g2", 1);

  private final StateFixture state = new StateFixture();

  @AfterEach
  void close() {
    state.close();
  }

  @Test
  void theHolderMayPublishAndItsOrderIsRemembered() {
    claim(FIRST, 1);
    assertThat(check(FIRST, 100, "g1")).isEqualTo(new Verdict.Allowed());

    advance(FIRST, 100, "g1");

    Fences.Fence fence = state.find(dsl -> Fences.find(dsl, TARGET)).orElseThrow();
    assertThat(fence.holder()).isEqualTo(FIRST);
    assertThat(fence.published()).isEqualTo(epoch(100));
    assertThat(fence.generation()).isEqualTo("g1");
  }

  @Test
  void anAttemptOpenedEarlierCannotTakeTheFenceBack() {
    claim(FIRST, 1);
    claim(SECOND, 2);

    assertThatThrownBy(() -> claim(FIRST, 1))
        .hasMessage(
            "lake lake_main, table imports.flights: attempt job-1:g1#1 may not go on; the fence is"
                + " held by attempt job-2:g2#1; nothing needs to be done, a new trigger starts a"
                + " new attempt")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.ATTEMPT_FENCED, StateException::kind)
        .returns(true, StateException::conflict);
    assertThat(check(FIRST, 300, "g1")).isInstanceOf(Verdict.Fenced.class);
    assertThat(check(SECOND, 200, "g2")).isInstanceOf(Verdict.Allowed.class);
  }

  @Test
  void claimingAgainWhatOneHoldsIsHarmless() {
    claim(FIRST, 1);
    claim(FIRST, 1);

    assertThat(check(FIRST, 1, "g1")).isInstanceOf(Verdict.Allowed.class);
  }

  @Test
  void aRevokedAttemptCannotPublishNorClaimAgain() {
    claim(FIRST, 1);
    state.home.write(
        dsl -> {
          Fences.revoke(dsl, TARGET, FIRST, "its worker was lost");
          return TARGET;
        });

    assertThat(check(FIRST, 1, "g1"))
        .isEqualTo(
            new Verdict.Fenced(
                "lake lake_main, table imports.flights: attempt job-1:g1#1 may not go on; the fence"
                    + " is held by nobody (its worker was lost); nothing needs to be done, a new"
                    + " trigger starts a new attempt"));
    assertThatThrownBy(() -> claim(FIRST, 1)).hasMessageContaining("its worker was lost");
    claim(SECOND, 2);
    assertThat(check(SECOND, 1, "g2")).isInstanceOf(Verdict.Allowed.class);
  }

  @Test
  void anOvertakenAttemptMayNotChangeWhatItsSuccessorShares() {
    claim(FIRST, 1);
    requireHeld(FIRST);
    claim(SECOND, 2);

    requireHeld(SECOND);
    assertThatThrownBy(() -> requireHeld(FIRST))
        .hasMessageContaining("attempt job-1:g1#1 may not go on");
  }

  @Test
  void revokingTheHolderOfEarlierDoesNotTouchTheOneOfNow() {
    claim(FIRST, 1);
    claim(SECOND, 2);
    state.home.write(
        dsl -> {
          Fences.revoke(dsl, TARGET, FIRST, "lost");
          return TARGET;
        });

    assertThat(check(SECOND, 1, "g2")).isInstanceOf(Verdict.Allowed.class);
  }

  @Test
  void anOlderGenerationIsStaleWhateverTheOrderOfArrival() {
    claim(FIRST, 1);
    advance(FIRST, 200, "g1");
    claim(SECOND, 2);

    assertThat(check(SECOND, 100, "g2"))
        .isEqualTo(
            new Verdict.Stale(
                "lake lake_main, table imports.flights: the generation is not newer than what was"
                    + " published; its order is folder_epoch:100, published is folder_epoch:200"
                    + " (generation g1); nothing needs to be done"));
    assertThatThrownBy(() -> advance(SECOND, 100, "g2"))
        .hasMessageContaining("not newer than what was published")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.STALE_GENERATION, StateException::kind);
  }

  @Test
  void theVeryGenerationIsStaleButArrivalBreaksATieOfTwo() {
    claim(FIRST, 1);
    advance(FIRST, 200, "g1");
    claim(SECOND, 2);

    assertThat(check(SECOND, 200, "g1")).isInstanceOf(Verdict.Stale.class);
    assertThat(check(SECOND, 200, "g2")).isInstanceOf(Verdict.Allowed.class);
  }

  @Test
  void anotherKindOfOrderIsRefused() {
    claim(FIRST, 1);
    advance(FIRST, 200, "g1");
    claim(SECOND, 2);

    Verdict verdict =
        state.home.write(
            dsl -> Fences.check(dsl, TARGET, SECOND, ProducerOrder.deltaVersion(900), "g2"));
    assertThat(verdict)
        .isEqualTo(
            new Verdict.Refused(
                "lake lake_main, table imports.flights: the generation cannot be put in order;"
                    + " earlier ones were ordered by folder_epoch, this one has delta_version:900;"
                    + " keep to one kind of order per source (one that is to change between"
                    + " registering and copying needs orders of kind import_finished on both paths,"
                    + " from its first generation on)"));
  }

  @Test
  void whoNeverClaimedIsFenced() {
    assertThat(check(FIRST, 1, "g1"))
        .asInstanceOf(type(Verdict.Fenced.class))
        .extracting(Verdict.Fenced::reason)
        .asString()
        .contains("it was never claimed");
  }

  @Test
  void anotherLakeInTheSameDatabaseHasAFenceOfItsOwn() {
    claim(FIRST, 1);
    advance(FIRST, 200, "g1");
    Target twin = new Target("lake_other", TARGET.schema(), TARGET.table());

    assertThat(state.find(dsl -> Fences.find(dsl, twin))).isEmpty();
  }

  @Test
  void revokingWaitsForThePublicationInFlight() throws Exception {
    claim(FIRST, 1);
    CountDownLatch advanced = new CountDownLatch(1);
    CountDownLatch revoking = new CountDownLatch(1);
    try (HikariDataSource pool = state.postgres.dataSource(2);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      StateDatabase shared = new StateDatabase("lake main", pool);
      Future<?> publication =
          threads.submit(
              () ->
                  shared.write(
                      dsl -> {
                        pass(dsl, FIRST, 100, "g1");
                        advanced.countDown();
                        awaitQuietly(revoking);
                        return TARGET;
                      }));
      advanced.await();
      Future<?> revocation =
          threads.submit(
              () ->
                  shared.write(
                      dsl -> {
                        revoking.countDown();
                        Fences.revoke(dsl, TARGET, FIRST, "lost");
                        return TARGET;
                      }));
      publication.get();
      revocation.get();
    }

    Fences.Fence fence = state.find(dsl -> Fences.find(dsl, TARGET)).orElseThrow();
    assertThat(fence.holder()).isNull();
    assertThat(fence.published()).isEqualTo(epoch(100));
  }

  private void claim(AttemptRef attempt, long opening) {
    state.home.write(
        dsl -> {
          Fences.claim(dsl, TARGET, attempt, opening);
          return attempt;
        });
  }

  private Verdict check(AttemptRef attempt, long order, String generation) {
    return state.home.write(dsl -> Fences.check(dsl, TARGET, attempt, epoch(order), generation));
  }

  private void requireHeld(AttemptRef attempt) {
    state.home.write(
        dsl -> {
          Fences.requireHeld(dsl, TARGET, attempt);
          return attempt;
        });
  }

  private void advance(AttemptRef attempt, long order, String generation) {
    state.home.write(
        dsl -> {
          pass(dsl, attempt, order, generation);
          return attempt;
        });
  }

  private static void pass(DSLContext dsl, AttemptRef attempt, long order, String generation) {
    OneAttachment.OF_TABLE_42.run(
        dsl, FencePass.publishing(TARGET, attempt, epoch(order), generation));
  }

  private static ProducerOrder epoch(long value) {
    return new ProducerOrder(ProducerOrder.Kind.FOLDER_EPOCH, value);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }
}
