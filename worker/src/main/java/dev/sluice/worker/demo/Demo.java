package dev.sluice.worker.demo;

import dev.sluice.activities.storage.TemporaryFolder;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.SampleDelta;
import dev.sluice.embedded.SampleModel;
import dev.sluice.embedded.SamplePrepared;
import dev.sluice.workflows.ModelCopyResult;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.SummaryText;
import dev.sluice.workflows.upstream.ChildStart;
import dev.sluice.workflows.upstream.DataModelingInput;
import dev.sluice.workflows.upstream.DataModelingRun;
import dev.sluice.workflows.upstream.UpstreamImport;
import dev.sluice.workflows.upstream.UpstreamImportInput;
import dev.sluice.workflows.upstream.UpstreamModel;
import dev.sluice.workflows.upstream.UpstreamTable;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowTargetOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets the upstream team of an embedded stack import, and in the sample materialize a query, and
 * waits until every table it brought is registered or copied. Not thread-safe.
 */
public final class Demo implements AutoCloseable {

  private static final String MODEL_JOB = "demo-model-1";

  private final @Nullable TemporaryFolder sample;
  private final SourceDirectory sources;
  private final Consumer<String> progress;
  private final RunningStack stack;

  private Demo(
      StackPorts ports, @Nullable Path source, @Nullable Path kept, Consumer<String> progress) {
    this.progress = progress;
    TemporaryFolder written = source == null ? TemporaryFolder.create() : null;
    this.sample = written;
    try {
      this.sources = source == null ? sample(folderOf(written)) : SourceDirectory.read(source);
      progress.accept("starting PostgreSQL, an S3 endpoint and Temporal in this process");
      this.stack = RunningStack.start(ports, sources.sources(), kept);
    } catch (RuntimeException e) {
      if (written != null) {
        written.close();
      }
      throw e;
    }
  }

  /**
   * Starts a stack on free ports.
   *
   * @param source folder with prepared files; null for a small sample that is made
   * @param kept folder in which databases and objects outlive the stack; null for temporary ones
   * @param progress is told what goes on, a line at a time
   */
  public static Demo start(@Nullable Path source, @Nullable Path kept, Consumer<String> progress) {
    return new Demo(StackPorts.free(), source, kept, progress);
  }

  /** The stack. */
  public RunningStack stack() {
    return stack;
  }

  /**
   * Imports everything, one import of a source system after the other, materializes the sample's
   * query, and waits for the tables.
   *
   * @return the outcome of every table, failed ones included
   */
  public DemoReport run() {
    Map<PreparedSource, List<PublishedTable>> bySource = new LinkedHashMap<>();
    int number = 0;
    for (List<PreparedGeneration> round : sources.imports()) {
      Map<PreparedSource.Owner, List<PreparedGeneration>> byOwner =
          round.stream()
              .collect(
                  Collectors.groupingBy(
                      each -> each.source().owner(), LinkedHashMap::new, Collectors.toList()));
      for (Map.Entry<PreparedSource.Owner, List<PreparedGeneration>> each : byOwner.entrySet()) {
        number++;
        String jobId = "demo-import-" + number;
        runImport(jobId, each.getKey(), each.getValue(), bySource);
      }
    }
    List<PublishedTable> tables = new ArrayList<>();
    for (List<PublishedTable> generations : bySource.values()) {
      int last = generations.size() - 1;
      tables.add(generations.get(last).after(generations.subList(0, last)));
    }
    if (sample != null) {
      tables.add(runModel(modelIn(sample.path())));
    }
    return new DemoReport(tables, stack.attach());
  }

  private PublishedTable runModel(Path table) {
    progress.accept(
        "run %s of data modeling, team %d: %s"
            .formatted(MODEL_JOB, SampleModel.TEAM, SampleModel.LABEL));
    stack.modeler().offer(SampleModel.QUERY_ID, table);
    ChildStart copy =
        stack
            .client()
            .newWorkflowStub(
                DataModelingRun.class,
                WorkflowOptions.newBuilder()
                    .setWorkflowId(DataModelingRun.TYPE + "-" + MODEL_JOB)
                    .setStaticSummary(
                        SummaryText.line(
                            "materialize for team %d: %s"
                                .formatted(SampleModel.TEAM, SampleModel.LABEL)))
                    .setTaskQueue(stack.queue())
                    .build())
            .run(
                new DataModelingInput(
                    SampleModel.TEAM,
                    MODEL_JOB,
                    List.of(
                        new UpstreamModel(
                            SampleModel.QUERY_ID, SampleModel.QUERY_NAME, SampleModel.LABEL)),
                    null,
                    null))
            .copies()
            .getFirst();
    PublishedTable published = table(WorkflowPath.MODEL, SampleModel.LABEL, awaitModel(copy));
    tell(SampleModel.LABEL, published);
    return published;
  }

  private void tell(String what, PublishedTable table) {
    progress.accept(
        what + ": " + table.status() + (table.reason() == null ? "" : "; " + table.reason()));
  }

  private void runImport(
      String jobId,
      PreparedSource.Owner owner,
      List<PreparedGeneration> generations,
      Map<PreparedSource, List<PublishedTable>> bySource) {
    progress.accept(
        "import "
            + jobId
            + " of "
            + owner.sourceType()
            + ", team "
            + owner.team()
            + ": "
            + labels(generations));
    stack.importer().offer(jobId, generations);
    UpstreamImport upstream =
        stack
            .client()
            .newWorkflowStub(
                UpstreamImport.class,
                WorkflowOptions.newBuilder()
                    .setWorkflowId(UpstreamImport.TYPE + "-" + jobId)
                    .setStaticSummary(
                        SummaryText.line(
                            "import %s for team %d: %s"
                                .formatted(owner.sourceType(), owner.team(), labels(generations))))
                    .setTaskQueue(stack.queue())
                    .build());
    List<ChildStart> started =
        upstream
            .run(
                new UpstreamImportInput(
                    owner.team(),
                    jobId,
                    owner.sourceType(),
                    null,
                    generations.stream()
                        .map(
                            each ->
                                new UpstreamTable(each.source().table(), each.source().schemaId()))
                        .toList(),
                    null,
                    null,
                    null))
            .registrations();
    progress.accept("import " + jobId + " has ended and started " + started.size() + " children");
    for (int i = 0; i < started.size(); i++) {
      PreparedGeneration generation = generations.get(i);
      PreparedSource source = generation.source();
      PublishedTable table = table(source.path(), source.table(), await(started.get(i)));
      bySource.computeIfAbsent(source, same -> new ArrayList<>()).add(table);
      tell(generation.label(), table);
    }
  }

  private static String labels(List<PreparedGeneration> generations) {
    return generations.stream().map(PreparedGeneration::label).collect(Collectors.joining(", "));
  }

  private RegisterResult await(ChildStart child) {
    try {
      return stubOf(child).getResult(RegisterResult.class);
    } catch (WorkflowException e) {
      return RegisterResult.ofFailure(e).orElseThrow(() -> e);
    }
  }

  /** The outcome of the only model of a run. */
  private RegisterResult awaitModel(ChildStart child) {
    ModelCopyResult result;
    try {
      result = stubOf(child).getResult(ModelCopyResult.class);
    } catch (WorkflowException e) {
      result = ModelCopyResult.ofFailure(e).orElseThrow(() -> e);
    }
    return result.models().getFirst().result();
  }

  private WorkflowStub stubOf(ChildStart child) {
    WorkflowTargetOptions.Builder target =
        WorkflowTargetOptions.newBuilder().setWorkflowId(child.workflowId());
    if (child.runId() != null) {
      target.setRunId(child.runId());
    }
    return stack.client().newUntypedWorkflowStub(target.build());
  }

  private static PublishedTable table(WorkflowPath path, String upstream, RegisterResult result) {
    String table = result.table();
    return new PublishedTable(
        path.word(),
        result.schema(),
        table == null ? upstream : table,
        result.status().word(),
        result.reason(),
        result.rows(),
        result.files(),
        result.bytes(),
        result.snapshotId(),
        result.generation(),
        List.of());
  }

  private static Path folderOf(@Nullable TemporaryFolder written) {
    return Objects.requireNonNull(written, "written").path();
  }

  private static Path modelIn(Path folder) {
    return folder.resolve("models").resolve(SampleModel.QUERY_NAME);
  }

  /** Writes the sample into an empty folder. */
  static SourceDirectory sample(Path folder) {
    try (DuckLakeSession session = DuckLakeSession.open(List.of())) {
      SamplePrepared.inFolder(session, folder).writeFirstGeneration();
      SampleDelta.inFolder(session, folder).write();
      SampleModel.write(session, modelIn(folder));
    } catch (SQLException e) {
      throw DemoErrors.sampleNotWritten(e);
    }
    return SourceDirectory.read(folder)
        .spelled(SamplePrepared.SOURCE_TYPE)
        .spelled(SampleDelta.SOURCE_TYPE);
  }

  @Override
  public void close() {
    stack.close();
    if (sample != null) {
      sample.close();
    }
  }
}
