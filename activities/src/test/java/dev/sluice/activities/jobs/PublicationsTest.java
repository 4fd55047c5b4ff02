package dev.sluice.activities.jobs;

import static dev.sluice.activities.jobs.StateFixture.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jooq.exception.IntegrityConstraintViolationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PublicationsTest {
  private static final Target TARGET = new Target("lake_main", "imports", "flights");

  private final StateFixture state = new StateFixture();

  @AfterEach
  void close() {
    state.close();
  }

  @Test
  void theHighestSnapshotIsLiveAndTheOthersAreHistory() {
    Publication first = publication(TARGET, 3, 1);
    Publication second = publication(TARGET, 8, 2);
    insert(second);
    insert(first);

    assertThat(state.find(dsl -> Publications.findLive(dsl, TARGET))).contains(second);
    assertThat(state.list(dsl -> Publications.history(dsl, TARGET))).containsExactly(second, first);
  }

  @Test
  void lakesAreKeptApart() {
    Publication here = publication(TARGET, 3, 1);
    insert(here);
    insert(publication(new Target("lake_other", "imports", "flights"), 9, 1));
    Publication neighbour = publication(new Target("lake_main", "imports", "carriers"), 5, 1);
    insert(neighbour);

    assertThat(state.find(dsl -> Publications.findLive(dsl, TARGET))).contains(here);
    assertThat(state.list(dsl -> Publications.allLive(dsl, "lake_main")))
        .containsExactly(neighbour, here);
  }

  @Test
  void anAttemptFindsItsPublication() {
    Publication made = publication(TARGET, 3, 2);
    insert(made);

    assertThat(state.find(dsl -> Publications.findByAttempt(dsl, "lake_main", made.attempt())))
        .contains(made);
    assertThat(
            state.find(
                dsl ->
                    Publications.findByAttempt(
                        dsl, "lake_main", key(new AttemptRef("job-1:g1", 1)))))
        .isEmpty();
    assertThat(
            state.find(
                dsl ->
                    Publications.findByAttemptId(
                        dsl, "lake_main", WorkflowPath.REGISTER, StateFixture.SOURCE, "job-1:g1")))
        .contains(made);
  }

  @Test
  void aTargetHasOnePublicationPerSnapshot() {
    insert(publication(TARGET, 3, 1));

    assertThatThrownBy(() -> insert(publication(TARGET, 3, 2)))
        .isInstanceOf(IntegrityConstraintViolationException.class)
        .hasMessageContaining("publication_pkey");
  }

  @Test
  void pinsHoldSnapshotsUntilTheyExpireOrAreReleased() {
    Instant now = Instant.parse("2026-11-29T10:00:00Z");
    set(new Pins.Pin("audit", 7, "ops", "year end", null));
    set(new Pins.Pin("reader-1", 4, "duckdb", "long query", now.plusSeconds(60)));

    assertThat(oldest(now)).hasValue(4);
    assertThat(oldest(now.plusSeconds(61))).hasValue(7);
    set(new Pins.Pin("audit", 9, "ops", "moved", null));
    assertThat(oldest(now.plusSeconds(61))).hasValue(9);
    state.home.write(
        dsl -> {
          Pins.release(dsl, "lake_main", "audit");
          return now;
        });
    assertThat(oldest(now.plusSeconds(61))).isEmpty();
    assertThat(
            state.list(dsl -> Pins.holding(dsl, "lake_main", now)).stream()
                .map(Pins.Pin::name)
                .toList())
        .isEqualTo(List.of("reader-1"));
  }

  private OptionalLong oldest(Instant at) {
    return state.home.read(dsl -> Pins.oldestHeld(dsl, "lake_main", at));
  }

  private void set(Pins.Pin pin) {
    state.home.write(
        dsl -> {
          Pins.set(dsl, "lake_main", pin);
          return pin;
        });
  }

  private void insert(Publication publication) {
    state.home.write(
        dsl -> {
          Publications.add(
              (statement, values) -> dsl.execute(statement.sql(1), values), publication);
          return publication;
        });
  }

  static Publication publication(Target target, long snapshot, int attempt) {
    return new Publication(
        target,
        snapshot,
        42,
        key(new AttemptRef("job-1:g1", attempt)),
        "job-1",
        "g1",
        new ProducerOrder(ProducerOrder.Kind.FOLDER_EPOCH, 100 + snapshot),
        1000,
        10,
        4096,
        null,
        null);
  }
}
