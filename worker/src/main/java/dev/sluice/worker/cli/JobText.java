package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.SourceEvent;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceStatus;
import dev.sluice.activities.jobs.StoredTrigger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Attempts, statuses and events as trees for JSON, and their parts as texts. */
final class JobText {

  private JobText() {}

  static Map<String, @Nullable Object> tree(SourceJob job) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("team", job.key().source().team());
    tree.put("source", job.key().source().schemaId());
    tree.put("attempt", job.key().attempt().attemptId());
    tree.put("number", job.key().attempt().number());
    tree.put("generation", job.generation());
    tree.put("order", job.order().toString());
    tree.put("status", job.status().word());
    tree.put("lake", job.lake());
    tree.put("schema", job.schema());
    tree.put("table", job.table());
    tree.put("rows", job.rows());
    tree.put("files", job.files());
    tree.put("bytes", job.bytes());
    tree.put("snapshot", job.snapshotId());
    tree.put("started", time(job.startedAt()));
    tree.put("finished", time(job.finishedAt()));
    tree.put("error", job.latestError());
    tree.put("reason", job.reason());
    tree.put("workflow", job.workflowId());
    tree.put("run", job.runId());
    return tree;
  }

  static Map<String, @Nullable Object> tree(SourceStatus status, List<SourceEvent> events) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("team", status.source().team());
    tree.put("source", status.source().schemaId());
    tree.put("readiness", status.readiness().word());
    tree.put("why", status.why());
    tree.put("latest", status.latest() == null ? null : tree(status.latest()));
    tree.put("completed", status.completed() == null ? null : tree(status.completed()));
    tree.put("pending", status.pending() == null ? null : tree(status.pending()));
    tree.put("events", events.stream().map(JobText::tree).toList());
    return tree;
  }

  static Map<String, @Nullable Object> tree(SourceEvent event) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("at", time(event.at()));
    tree.put("kind", event.kind().word());
    tree.put("attempt", event.attemptId());
    tree.put("number", event.attemptNumber());
    tree.put("reason", event.reason());
    return tree;
  }

  static Map<String, @Nullable Object> tree(Publication publication) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("generation", publication.generation());
    tree.put("order", publication.order().toString());
    tree.put("snapshot", publication.snapshotId());
    tree.put("rows", publication.rows());
    tree.put("files", publication.files());
    tree.put("bytes", publication.bytes());
    tree.put("restores", publication.restores());
    tree.put("replaced", publication.replaced());
    tree.put("job", publication.sourceJobId());
    tree.put("attempt", publication.attempt().attempt().attemptId());
    tree.put("number", publication.attempt().attempt().number());
    return tree;
  }

  private static Map<String, @Nullable Object> tree(StoredTrigger trigger) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("generation", trigger.trigger().generation().value());
    tree.put("job", trigger.trigger().jobId());
    tree.put("received", time(trigger.receivedAt()));
    return tree;
  }

  /** A time to the second, in UTC; null for null. */
  static @Nullable String time(@Nullable Instant at) {
    return at == null ? null : at.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** A table's name, or the source while the table is not resolved. */
  static String target(SourceJob job) {
    return job.schema() == null || job.table() == null
        ? job.key().source().toString()
        : job.schema() + "." + job.table();
  }

  /** What went wrong or is remarkable; empty for nothing. */
  static String remark(SourceJob job) {
    if (job.latestError() != null) {
      return job.latestError();
    }
    return job.reason() == null ? "" : job.reason();
  }
}
