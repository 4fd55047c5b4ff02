package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RegisterWorkflow;
import dev.sluice.workflows.naming.ProducerOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The producer's order rules, whatever the order of arrival; the gate; tries of one generation. */
class RegisterOrderTest {

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  @AfterEach
  void withoutFaults() {
    path.gate.open();
    path.options = Sources.Options.defaults();
    path.sourceFault = store -> store;
    path.lakeFault = lake -> lake;
  }

  private static void generation(Source source, long epoch) throws SQLException {
    path.write(source, epoch, "a.parquet", "SELECT " + epoch + " AS g");
  }

  @Test
  @DisplayName("8.2 invariant 3: an older generation that arrives late is stale")
  void invariant3OlderGenerationThatArrivesLateIsStale() throws Exception {
    Source source = path.newSource("late");
    generation(source, 200);
    generation(source, 300);
    path.run(source.trigger(300));

    RegisterResult late = path.run(source.trigger(200));

    assertThat(late.status()).isEqualTo(RegisterStatus.STALE);
    assertThat(late.reason()).contains("300");
    assertThat(path.scan(source)).containsExactly(List.of("300"));
    assertThat(path.publications(source)).hasSize(1);
    assertThat(path.attempts(source).getFirst().status()).isEqualTo(JobStatus.STALE);
  }

  @Test
  void newestWaitingGenerationSupersedesTheOthers() throws Exception {
    Source source = path.newSource("waiting");
    for (long epoch : List.of(100L, 200L, 300L, 400L)) {
      generation(source, epoch);
    }
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    path.sourceFault =
        store -> {
          entered.countDown();
          Uninterruptibly.await(release);
          return store;
        };
    RegisterWorkflow running = path.start(source.trigger(200));
    Uninterruptibly.await(entered);
    running.submit(source.trigger(300));
    running.submit(source.trigger(400));
    running.submit(source.trigger(100));
    running.submit(source.trigger(400));
    path.sourceFault = store -> store;
    release.countDown();

    RegisterResult last = path.await(source.trigger(200));

    assertThat(last.reason()).isNull();
    assertThat(last.generation()).isEqualTo("400");
    assertThat(path.publications(source).stream().map(Publication::generation))
        .containsExactly("400", "200");
    assertThat(path.eventKinds(source))
        .contains(EventKind.SUPERSEDED, EventKind.DUPLICATE)
        .filteredOn(kind -> kind == EventKind.SUPERSEDED)
        .hasSize(2);
    assertThat(path.scan(source)).containsExactly(List.of("400"));
  }

  @Test
  void ordersOfTwoKindsCannotBeMixed() throws Exception {
    Source source = path.newSource("mixed_kinds");
    generation(source, 100);
    generation(source, 200);
    path.run(source.trigger(100));
    RegisterTrigger asked = source.trigger(200);

    RegisterResult mixed =
        path.run(
            new RegisterTrigger(
                asked.team(),
                asked.jobId(),
                asked.sourceSchemaId(),
                asked.sourceType(),
                asked.prefix(),
                asked.table(),
                asked.preparedFolder(),
                ProducerOrder.deltaVersion(7),
                null,
                null));

    assertThat(mixed.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(mixed.reason()).contains("delta_version").contains("keep to one kind");
    assertThat(path.scan(source)).containsExactly(List.of("100"));
  }

  @Test
  void generationPublishedOnceMoreGetsObjectsOfItsOwn() throws Exception {
    Source source = path.newSource("once_more");
    generation(source, 100);
    Long before = path.run(source.trigger(100)).snapshotId();
    path.session().execute("DROP TABLE " + source.sql());
    path.write(source, 100, "a.parquet", "SELECT 3 AS g");

    RegisterResult again = path.run(source.trigger(100));

    assertThat(again.reason()).isNull();
    assertThat(path.scan(source)).containsExactly(List.of("3"));
    assertThat(path.duckDb("SELECT g FROM " + source.sql() + " AT (VERSION => " + before + ")"))
        .containsExactly(List.of("100"));
    assertThat(path.run(source.trigger(100)).reason()).startsWith("already published");
  }

  @Test
  void nothingOlderFollowsWhenTheTableOfTheNewestWasDropped() throws Exception {
    Source source = path.newSource("dropped_newest");
    generation(source, 100);
    generation(source, 200);
    path.run(source.trigger(200));
    path.session().execute("DROP TABLE " + source.sql());

    assertThat(path.run(source.trigger(100)).status()).isEqualTo(RegisterStatus.STALE);
    assertThat(path.run(source.trigger(200)).reason()).isNull();
    assertThat(path.scan(source)).containsExactly(List.of("200"));
  }

  @Test
  void twoGenerationsOfOneOrderDoNotTakeTurnsWhenTheyAreDeliveredAgain() throws Exception {
    Source source = path.newSource("alternating");
    String first = source.folder(100) + "_aaaaaaaa";
    String second = source.folder(100) + "_bbbbbbbb";
    path.writeTo(first, "a.parquet", "SELECT 1 AS g");
    path.writeTo(second, "a.parquet", "SELECT 2 AS g");
    path.run(source.trigger(100, first));
    path.run(source.trigger(100, second));

    RegisterResult again = path.run(source.trigger(100, first));

    assertThat(again.status()).isEqualTo(RegisterStatus.STALE);
    assertThat(again.reason()).contains("of the same order").contains("arrived later");
    assertThat(path.run(source.trigger(100, second)).reason()).startsWith("already published");
    assertThat(path.publications(source)).hasSize(2);
    assertThat(path.scan(source)).containsExactly(List.of("2"));
  }

  @Test
  void secondTryOfAFailedGenerationSucceedsOnceItsFolderIsRight() throws Exception {
    Source source = path.newSource("second_try");
    generation(source, 100);
    path.put(source.folder(100), "b.parquet", "no Parquet".getBytes(StandardCharsets.UTF_8));
    RegisterResult first = path.run(source.trigger(100));
    path.put(source.folder(100), "b.parquet", path.parquet("SELECT 101 AS g"));

    RegisterResult second = path.run(source.trigger(100));

    assertThat(first.status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(second.reason()).isNull();
    assertThat(second.rows()).isEqualTo(2);
    assertThat(path.attempts(source).stream().map(job -> job.key().attempt().number()))
        .containsExactly(2, 1);
    assertThat(path.attempts(source).stream().map(SourceJob::status))
        .containsExactly(JobStatus.COMPLETED, JobStatus.FAILED);
    assertThat(path.scan(source)).containsExactlyInAnyOrder(List.of("100"), List.of("101"));
  }

  @Test
  void fileReplacedByOneOfEqualSizeIsLandedAnew() throws Exception {
    Source source = path.newSource("equal_size");
    byte[] wrong = path.parquet("SELECT 1 AS g");
    byte[] right = path.parquet("SELECT 2 AS g");
    assertThat(right).hasSameSizeAs(wrong);
    path.put(source.folder(100), "a.parquet", wrong);
    path.put(source.folder(100), "b.parquet", "no Parquet".getBytes(StandardCharsets.UTF_8));
    assertThat(path.run(source.trigger(100)).status()).isEqualTo(RegisterStatus.FAILED);
    path.put(source.folder(100), "a.parquet", right);
    path.folder(source.folder(100)).delete(List.of("b.parquet"));

    RegisterResult second = path.run(source.trigger(100));

    assertThat(second.reason()).isNull();
    assertThat(path.scan(source)).containsExactly(List.of("2"));
  }

  @Test
  @DisplayName("8.2 invariant 8: a closed gate means no work and a recorded reason")
  void invariant8ClosedGateMeansNoWork() throws Exception {
    Source source = path.newSource("closed_gate");
    generation(source, 100);
    path.gate.close("flag data-warehouse-scene is off for team 2");

    RegisterResult skipped = path.run(source.trigger(100));

    assertThat(skipped.status()).isEqualTo(RegisterStatus.SKIPPED);
    assertThat(skipped.reason()).contains("data-warehouse-scene");
    assertThat(path.attempts(source)).isEmpty();
    assertThat(path.publications(source)).isEmpty();
    assertThat(path.events.newest(RegisterFixture.ref(source), 1).getFirst().reason())
        .contains("data-warehouse-scene");
  }

  @Test
  @DisplayName("8.2 invariant 8: a gate that cannot be asked is closed")
  void invariant8BrokenGateIsClosed() throws Exception {
    Source source = path.newSource("broken_gate");
    generation(source, 100);
    path.gate.breakWith(new IllegalStateException("no flag evaluator"));

    RegisterResult skipped = path.run(source.trigger(100));

    assertThat(skipped.status()).isEqualTo(RegisterStatus.SKIPPED);
    assertThat(skipped.reason()).contains("could not be asked");
    assertThat(path.attempts(source)).isEmpty();
    assertThat(path.eventKinds(source)).isNotEmpty();
  }

  @Test
  @DisplayName("REG-14: what is live is answered, and a retry ends with each file once")
  void reg14RetriesEndWithEachFileOnce() throws Exception {
    Source source = path.newSource("reg14");
    for (int file = 1; file <= 4; file++) {
      path.write(source, 100, "f" + file + ".parquet", "SELECT " + file + " AS id");
    }
    CountDownLatch faults = new CountDownLatch(1);
    path.lakeFault =
        lake -> {
          if (faults.getCount() == 0) {
            return lake;
          }
          return FaultyStore.failingAfter(2, lake, faults::countDown);
        };

    RegisterResult first = path.run(source.trigger(100));
    RegisterResult second = path.run(source.trigger(100));
    RegisterResult third = path.run(source.trigger(100));

    assertThat(first.reason()).isNull();
    assertThat(List.of(second.reason(), third.reason()))
        .containsOnly("already published as snapshot " + first.snapshotId());
    assertThat(
            path.duckDb(
                "SELECT count(*) FROM ducklake_list_files('lake', '%s', schema => '%s')"
                    .formatted(source.published(), source.schema())))
        .containsExactly(List.of("4"));
    assertThat(path.duckDb("SELECT string_agg(id, ',' ORDER BY id) FROM " + source.sql()))
        .containsExactly(List.of("1,2,3,4"));
  }

  @Test
  @DisplayName("8.2 invariant 1: a reader sees exactly one complete generation at every instant")
  void invariant1ReaderSeesOneCompleteGeneration() throws Exception {
    Source source = path.newSource("one_generation");
    for (long epoch = 1; epoch <= 6; epoch++) {
      path.write(source, epoch, "a.parquet", "SELECT " + epoch + " AS g FROM range(500)");
      path.write(source, epoch, "b.parquet", "SELECT " + epoch + " AS g FROM range(500)");
    }
    path.run(source.trigger(1));
    for (long epoch = 2; epoch <= 6; epoch++) {
      path.start(source.trigger(epoch));
      for (int read = 0; read < 5; read++) {
        assertThat(path.duckDb("SELECT count(*), count(DISTINCT g) FROM " + source.sql()))
            .containsExactly(List.of("1000", "1"));
        assertThat(path.scan(source).stream().map(List::getFirst).collect(Collectors.toSet()))
            .hasSize(1);
      }
      assertThat(path.await(source.trigger(epoch)).status()).isEqualTo(RegisterStatus.COMPLETED);
    }
    assertThat(path.publications(source).stream().map(Publication::generation).toList())
        .isEqualTo(IntStream.of(6, 5, 4, 3, 2, 1).mapToObj(Integer::toString).toList());
  }
}
