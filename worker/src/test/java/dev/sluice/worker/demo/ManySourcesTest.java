package dev.sluice.worker.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceEvent;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StoredTrigger;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.jobs.TriggerState;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.temporal.LakeAccess;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.worker.config.SourceSettings;
import dev.sluice.worker.wiring.HomeStores;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.WorkflowIds;
import dev.sluice.workflows.upstream.TriggerSender;
import io.temporal.client.WorkflowFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many sources triggered at once, each with several generations in any order and some of them
 * twice, on one worker. {@code local-dev/many-sources.sh} runs it with 200 sources and a small
 * heap.
 */
class ManySourcesTest {

  /** A dozen sources already make the triggers of each meet its runs. */
  private static final int SOURCES = Integer.getInteger("sluice.sources", 12);

  private static final int GENERATIONS = 3;
  private static final long FIRST_EPOCH = 1_785_365_520L;
  private static final int SENDERS = 16;
  private static final long SEED = 20261129L;

  @Test
  void eachSourceEndsWithItsNewestGenerationAndEventsExplainWhatDidNotRun(@TempDir Path scratch)
      throws Exception {
    List<PreparedSource> sources = new ArrayList<>();
    for (int number = 0; number < SOURCES; number++) {
      sources.add(
          new PreparedSource(
              1,
              "Stripe",
              "0198d000-2222-7a00-8000-%012d".formatted(number),
              "table_" + number,
              WorkflowPath.REGISTER));
    }
    List<byte[]> files = files(scratch);
    try (RunningStack stack = RunningStack.start(StackPorts.free(), sources, null)) {
      for (PreparedSource source : sources) {
        prepare(stack, source, files);
      }

      List<RegisterTrigger> sent = sendAll(stack, sources);
      awaitEnds(stack, sources);

      assertThat(sent).hasSizeGreaterThan(SOURCES * GENERATIONS);
      for (PreparedSource source : sources) {
        assertNewestIsLive(stack, source);
        assertEveryTriggerIsExplained(stack, source);
      }
    }
  }

  /** A file per generation, with as many rows as its number. */
  private static List<byte[]> files(Path scratch) throws SQLException, IOException {
    List<byte[]> files = new ArrayList<>();
    try (DuckLakeSession duckDb = DuckLakeSession.open(List.of())) {
      for (int generation = 1; generation <= GENERATIONS; generation++) {
        Path file = scratch.resolve(generation + ".parquet");
        duckDb.execute(
            "COPY (SELECT %d AS g, range AS i FROM range(%d)) TO '%s' (FORMAT parquet)"
                .formatted(generation, generation, file));
        files.add(Files.readAllBytes(file));
      }
    }
    return files;
  }

  private static void prepare(RunningStack stack, PreparedSource source, List<byte[]> files) {
    SourceSettings settings = settings(stack, source);
    StorageLocation folder = StorageLocation.parse(Objects.requireNonNull(settings.folder()));
    for (int generation = 1; generation <= GENERATIONS; generation++) {
      stack
          .connections()
          .store("main", folder.resolve(trigger(source, generation).preparedFolder()))
          .put("part-0.parquet", files.get(generation - 1));
    }
  }

  private static SourceSettings settings(RunningStack stack, PreparedSource source) {
    return stack.connections().configuration().findSource(ref(source)).orElseThrow();
  }

  private static SourceRef ref(PreparedSource source) {
    return new SourceRef(source.team(), source.schemaId());
  }

  private static RegisterTrigger trigger(PreparedSource source, int generation) {
    String folder = source.table() + "__query_" + (FIRST_EPOCH + generation) + "_0a1b2c3d";
    return new RegisterTrigger(
        source.team(),
        "job-" + generation,
        source.schemaId(),
        source.sourceType(),
        null,
        source.table(),
        folder,
        ProducerOrder.ofFolder(folder),
        null,
        null);
  }

  /** Sends every generation of every source once or twice, all mixed, by many senders. */
  private static List<RegisterTrigger> sendAll(RunningStack stack, List<PreparedSource> sources)
      throws Exception {
    Random random = new Random(SEED);
    List<RegisterTrigger> triggers = new ArrayList<>();
    for (PreparedSource source : sources) {
      for (int generation = 1; generation <= GENERATIONS; generation++) {
        int times = 1 + random.nextInt(2);
        triggers.addAll(Collections.nCopies(times, trigger(source, generation)));
      }
    }
    Collections.shuffle(triggers, random);
    TriggerSender starter = new TriggerSender(stack.client(), stack.queue());
    try (ExecutorService senders = Executors.newFixedThreadPool(SENDERS)) {
      List<Future<?>> sending = new ArrayList<>();
      for (RegisterTrigger trigger : triggers) {
        sending.add(senders.submit(() -> starter.send(trigger)));
      }
      for (Future<?> each : sending) {
        each.get();
      }
    }
    return triggers;
  }

  private static void awaitEnds(RunningStack stack, List<PreparedSource> sources) {
    for (PreparedSource source : sources) {
      try {
        stack
            .client()
            .newUntypedWorkflowStub(WorkflowIds.of(trigger(source, 1)))
            .getResult(Object.class);
      } catch (WorkflowFailedException e) {
        throw new AssertionError(source.table() + " failed; seed " + SEED, e);
      }
    }
  }

  private static void assertNewestIsLive(RunningStack stack, PreparedSource source) {
    LakeAccess lake = stack.connections().require("main");
    Target assigned = stack.connections().configuration().target(settings(stack, source));
    Target target = new Target(lake.key(), assigned.schema(), assigned.table());
    List<Publication> history = lake.state().read(dsl -> Publications.history(dsl, target));

    assertThat(history.getFirst())
        .as("live in %s, seed %d", target, SEED)
        .returns(trigger(source, GENERATIONS).generation().value(), Publication::generation)
        .returns((long) GENERATIONS, Publication::rows);
    assertThat(history.stream().map(Publication::generation)).doesNotHaveDuplicates();
    assertThat(history.stream().map(each -> -each.order().value()).toList())
        .as("publications, newest first, never go back")
        .isSorted();
  }

  private static void assertEveryTriggerIsExplained(RunningStack stack, PreparedSource source) {
    HomeStores home = stack.connections().home();
    List<StoredTrigger> triggers = home.triggers().newest(ref(source), 100);
    List<SourceEvent> events = home.events().newest(ref(source), 1000);
    List<SourceJob> attempts = home.jobs().history(ref(source), 100);
    Set<String> ran = new HashSet<>();
    attempts.forEach(job -> ran.add(job.key().attempt().attemptId()));

    assertThat(triggers).hasSize(GENERATIONS);
    assertThat(attempts)
        .extracting(SourceJob::status)
        .isSubsetOf(JobStatus.COMPLETED, JobStatus.STALE);
    for (StoredTrigger trigger : triggers) {
      assertThat(trigger.state())
          .isIn(
              TriggerState.COMPLETED,
              TriggerState.STALE,
              TriggerState.SUPERSEDED,
              TriggerState.DUPLICATE);
      if (!ran.contains(trigger.trigger().attemptId())) {
        assertThat(events)
            .as("why %s did not run, seed %d", trigger.trigger().attemptId(), SEED)
            .anyMatch(
                event ->
                    trigger.trigger().attemptId().equals(event.attemptId())
                        && event.kind() == EventKind.SUPERSEDED
                        && event.reason() != null);
      }
    }
  }
}
