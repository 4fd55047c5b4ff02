package dev.sluice.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.workflows.activity.GateDecision;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.upstream.ChildStart;
import dev.sluice.workflows.upstream.ImportTableInput;
import dev.sluice.workflows.upstream.ImportedTable;
import dev.sluice.workflows.upstream.UpstreamImport;
import dev.sluice.workflows.upstream.UpstreamImportActivities;
import dev.sluice.workflows.upstream.UpstreamImportInput;
import dev.sluice.workflows.upstream.UpstreamImportResult;
import dev.sluice.workflows.upstream.UpstreamTable;
import io.temporal.client.WorkflowOptions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpstreamImportTest {
  private final Importer importer = new Importer();
  private final TemporalFixture fixture = new TemporalFixture(importer);
  private final RecordingActivities activities = fixture.activities;
  private final RegisterTrigger first = TemporalFixture.trigger(1001);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void theParentEndsWhileItsChildGoesOn() {
    activities.mayLand = new CountDownLatch(1);

    UpstreamImportResult result = importOnce();

    assertThat(result.registrations())
        .extracting(ChildStart::workflowId, ChildStart::outcome)
        .containsExactly(
            tuple("ducklake-register.data-imports-123-source-1", ChildStart.Outcome.STARTED));
    activities.mayLand.countDown();
    assertThat(fixture.result(first).status()).isEqualTo(RegisterStatus.COMPLETED);
  }

  @Test
  void aChildThatRunsAlreadyIsSignalled() {
    activities.mayLand = new CountDownLatch(1);
    importOnce();

    assertThat(importOnce().registrations())
        .extracting(ChildStart::outcome)
        .containsExactly(ChildStart.Outcome.SIGNALLED);
    activities.mayLand.countDown();
    assertThat(fixture.result(first).generation()).isEqualTo("1002");
  }

  @Test
  void aChildThatHasClosedIsStartedAgain() {
    importOnce();
    fixture.result(first);

    assertThat(importOnce().registrations())
        .extracting(ChildStart::outcome)
        .containsExactly(ChildStart.Outcome.STARTED);
    assertThat(fixture.result(first).generation()).isEqualTo("1002");
  }

  @Test
  void aDeltaTableIsHandedToTheCopyWorkflow() {
    importer.delta = true;
    activities.gate = GateDecision.closed("a test");

    assertThat(importOnce().registrations())
        .extracting(ChildStart::workflowId, ChildStart::outcome)
        .containsExactly(
            tuple("ducklake-copy.data-imports-123-source-1", ChildStart.Outcome.STARTED));
    RegisterResult result =
        fixture.result(
            RegisterTrigger.copy(
                123,
                "job",
                "source-1",
                "Stripe",
                null,
                "invoices",
                ProducerOrder.deltaVersion(1001),
                null,
                null));
    assertThat(result.status()).isEqualTo(RegisterStatus.SKIPPED);
    assertThat(result.generation()).isEqualTo("v1001");
  }

  private UpstreamImportResult importOnce() {
    return fixture
        .client()
        .newWorkflowStub(
            UpstreamImport.class,
            WorkflowOptions.newBuilder().setTaskQueue(Workflows.TASK_QUEUE).build())
        .run(
            new UpstreamImportInput(
                123,
                "job",
                "Stripe",
                null,
                List.of(new UpstreamTable("invoices", "source-1")),
                null,
                null,
                null));
  }

  /** Names a newer folder each time. */
  private static final class Importer implements UpstreamImportActivities {
    private final AtomicLong epoch = new AtomicLong(1000);
    private volatile boolean delta;

    @Override
    public ImportedTable importTable(ImportTableInput input) {
      if (delta) {
        return new ImportedTable(null, ProducerOrder.deltaVersion(epoch.incrementAndGet()));
      }
      String folder = input.table().table() + "__query_" + epoch.incrementAndGet();
      return new ImportedTable(folder, ProducerOrder.ofFolder(folder));
    }
  }
}
