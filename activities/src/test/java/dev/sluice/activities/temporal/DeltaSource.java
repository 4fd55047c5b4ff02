package dev.sluice.activities.temporal;

import dev.sluice.activities.delta.DeltaActions;
import dev.sluice.activities.delta.DeltaFolder;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.workflows.CopyInput;
import dev.sluice.workflows.CopyWorkflow;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.Workflows;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An upstream table that is a Delta table, and its copies. */
final class DeltaSource {

  private final RegisterFixture path;
  private final Source source;
  private final DeltaFolder folder;
  private final Set<String> uploaded = new HashSet<>();

  DeltaSource(RegisterFixture path, String table) {
    this.path = path;
    this.source = path.newSource(table);
    this.folder = new DeltaFolder(localFolder(path.sourceRoot.resolve(source.table())));
  }

  private static Path localFolder(StorageLocation table) {
    return switch (table) {
      case StorageLocation.Local local -> Path.of(local.uri());
      case StorageLocation.S3 s3 -> PreparedFiles.temporary();
    };
  }

  /** Brings what was written to where the worker looks for it. */
  private void upload() {
    if (path.sourceRoot instanceof StorageLocation.S3) {
      ObjectStore local = folder.store();
      try (Stream<ObjectInfo> objects = local.list("")) {
        // an object that is written again is another one to a copy
        objects
            .filter(object -> uploaded.add(object.key()))
            .forEach(
                object ->
                    path.put(
                        source.table(),
                        object.key(),
                        local.read(object.key(), 0, Math.toIntExact(object.sizeBytes()))));
      }
    }
  }

  Source source() {
    return source;
  }

  DeltaFolder folder() {
    return folder;
  }

  /** Writes a data file and returns the line that adds it. */
  DeltaActions.Add file(String key, long rows, String query) {
    return fileAs(key, key, rows, query);
  }

  /** Writes a data file that the log spells otherwise. */
  DeltaActions.Add fileAs(String logPath, String key, long rows, String query) {
    folder.parquet(key, query);
    return DeltaActions.add(logPath).size(folder.sizeBytes(key)).rows(rows);
  }

  RegisterTrigger trigger(ProducerOrder order) {
    return trigger(order, "job-" + order.value());
  }

  RegisterTrigger trigger(ProducerOrder order, String job) {
    return RegisterTrigger.copy(
        source.team(), job, source.schemaId(), "Stripe", null, source.table(), order, null, null);
  }

  /** Copies a version to its end. */
  RegisterResult copy(long version) {
    return copy(trigger(ProducerOrder.deltaVersion(version)));
  }

  /** Copies the newest version to its end. */
  RegisterResult copyNewest(String job) {
    return copy(trigger(ProducerOrder.NEWEST_DELTA_VERSION, job));
  }

  RegisterResult copy(RegisterTrigger trigger) {
    start(trigger);
    return path.await(trigger);
  }

  CopyWorkflow start(RegisterTrigger trigger) {
    upload();
    CopyWorkflow workflow =
        path.client()
            .newWorkflowStub(
                CopyWorkflow.class,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(Workflows.TASK_QUEUE)
                    .setWorkflowId(WorkflowIds.of(trigger))
                    .build());
    WorkflowClient.start(workflow::run, CopyInput.of(trigger));
    return workflow;
  }

  /** Asks DuckDB about the published table, which the question calls {@code t}. */
  List<List<@Nullable String>> ask(String sql) throws SQLException {
    return path.duckDb("WITH t AS (FROM " + source.sql() + ") " + sql);
  }

  /** Asks DuckDB about the table as a publication made it; 0 is the newest. */
  List<List<@Nullable String>> askAt(int back, String sql) throws SQLException {
    long snapshot = path.publications(source).get(back).snapshotId();
    return path.duckDb(
        "WITH t AS (FROM %s AT (VERSION => %d)) %s".formatted(source.sql(), snapshot, sql));
  }
}
