package dev.sluice.worker.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.DefaultSettableGauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.workflows.activity.WorkflowPath;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Every metric of Sluice. A metric's tags stand in its name, as in {@code
 * ducklake_register_data_imports_started{team_id="2",schema_id="…"}}, in the order of the methods
 * here; a quotation mark, backslash or line break in a value is escaped by a backslash. Durations
 * are in seconds. Thread-safe.
 */
public final class SluiceMetrics {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final MetricRegistry registry;

  /** Metrics in a registry of their own. */
  public SluiceMetrics() {
    this(new MetricRegistry());
  }

  /** Metrics in the given registry. */
  public SluiceMetrics(MetricRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry");
  }

  /** The registry, for those who serve it. */
  public MetricRegistry registry() {
    return registry;
  }

  /** Stages of both paths, in the words of their metrics. */
  public enum Stage {
    PREPARE,
    COPY,
    REGISTER,
    VERIFY,
    PUBLISH;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How a stage ended. */
  public enum StageStatus {
    SUCCESS,
    STALE,
    FAILED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** An attempt was opened. */
  public void started(WorkflowPath path, SourceRef source) {
    counter(prefix(path) + "started" + attemptTags(path, source)).inc();
  }

  /** An attempt ended; the status is a word of the job table. */
  public void finished(WorkflowPath path, SourceRef source, String status, Duration duration) {
    String tags = attemptTags(path, source, "status", status);
    counter(prefix(path) + "finished" + tags).inc();
    registry.timer(prefix(path) + "duration_seconds" + tags).update(duration);
  }

  /** A generation was found superseded. */
  public void stale(WorkflowPath path, SourceRef source, Stage stage) {
    counter(prefix(path) + "stale" + tags(source, "stage", stage.word())).inc();
  }

  /** A stage ended. */
  public void stage(
      WorkflowPath path, SourceRef source, Stage stage, StageStatus status, Duration duration) {
    registry
        .timer(
            prefix(path)
                + "stage_duration"
                + tags(source, "stage", stage.word(), "status", status.word()))
        .update(duration);
  }

  /** A generation was published. */
  public void published(
      WorkflowPath path, SourceRef source, long files, long rows, long bytes, Instant finishedAt) {
    String of = prefix(path);
    registry.histogram(of + filesName(path) + tags(source)).update(files);
    registry.histogram(of + rowsName(path) + tags(source)).update(rows);
    registry.histogram(of + bytesName(path) + tags(source)).update(bytes);
    gauge(of + "last_success_timestamp_seconds" + tags(source), finishedAt.getEpochSecond());
  }

  /** A check ran; the status is {@code passed} or {@code failed}. */
  public void verification(WorkflowPath path, SourceRef source, String check, String status) {
    counter(prefix(path) + "verification" + tags(source, "check", check, "status", status)).inc();
  }

  private static String prefix(WorkflowPath path) {
    return switch (path) {
      case REGISTER -> "ducklake_register_data_imports_";
      case COPY -> "ducklake_copy_data_imports_";
      case MODEL -> "ducklake_copy_data_modeling_";
    };
  }

  private static String filesName(WorkflowPath path) {
    return switch (path) {
      case REGISTER -> "files_registered";
      case COPY, MODEL -> "data_files_copied";
    };
  }

  private static String rowsName(WorkflowPath path) {
    return switch (path) {
      case REGISTER -> "rows_registered";
      case COPY, MODEL -> "rows_copied";
    };
  }

  private static String bytesName(WorkflowPath path) {
    return switch (path) {
      case REGISTER -> "bytes_copied";
      case COPY, MODEL -> "data_bytes_copied";
    };
  }

  /** Attempts of copies are counted by team alone. */
  private static String attemptTags(WorkflowPath path, SourceRef source, String... more) {
    return switch (path) {
      case REGISTER -> tags(source, more);
      case COPY, MODEL -> teamTags(source, more);
    };
  }

  /** A commit was tried once. */
  public void commitAttempt(String lake) {
    counter("sluice_commit_attempts" + tag("lake", lake)).inc();
  }

  /** A try of a commit lost its race. */
  public void commitConflict(String lake) {
    counter("sluice_commit_conflicts" + tag("lake", lake)).inc();
  }

  /** A commit succeeded, all its tries together. */
  public void commitDone(String lake, Duration duration) {
    registry.timer("sluice_commit_duration_seconds" + tag("lake", lake)).update(duration);
  }

  /** How a pass of the reaper ended. */
  public enum ReaperPass {
    DONE,
    TEMPORAL_UNREACHABLE,
    FAILED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The reaper made a pass. */
  public void reaperPass(ReaperPass result, Duration duration) {
    counter("sluice_reaper_passes" + tag("result", result.word())).inc();
    registry.timer("sluice_reaper_pass_duration_seconds").update(duration);
  }

  /** What a pass of the reaper found and did. */
  public void reaperFound(int asked, int open, int restarted, int lakesAway) {
    counter("sluice_reaper_asked").inc(asked);
    counter("sluice_reaper_triggers_restarted").inc(restarted);
    gauge("sluice_reaper_open_attempts", open);
    gauge("sluice_reaper_lakes_unreachable", lakesAway);
  }

  /** The reaper closed an attempt; the status is a word of the job table. */
  public void reaperClosed(String status) {
    counter("sluice_reaper_closed" + tag("status", status)).inc();
  }

  /** Prints one line per metric, sorted by name; nothing when there is none. */
  public void print(PrintStream out) {
    Map<String, Metric> sorted = new TreeMap<>(registry.getMetrics());
    sorted.forEach((name, metric) -> out.println(name + " " + valueOf(metric)));
    out.flush();
  }

  private static String valueOf(Metric metric) {
    if (metric instanceof Counter counter) {
      return Long.toString(counter.getCount());
    }
    if (metric instanceof Timer timer) {
      return summary(timer.getCount(), timer.getSnapshot(), NANOS_PER_SECOND, "%.3f");
    }
    if (metric instanceof Histogram histogram) {
      return summary(histogram.getCount(), histogram.getSnapshot(), 1, "%.0f");
    }
    if (metric instanceof DefaultSettableGauge<?> gauge) {
      return String.valueOf(gauge.getValue());
    }
    return metric.toString();
  }

  private static String summary(long count, Snapshot values, double unit, String format) {
    return String.format(
        Locale.ROOT,
        "count=%d mean=" + format + " p50=" + format + " p99=" + format + " max=" + format,
        count,
        values.getMean() / unit,
        values.getMedian() / unit,
        values.get99thPercentile() / unit,
        values.getMax() / unit);
  }

  private void gauge(String name, long value) {
    DefaultSettableGauge<Long> gauge = registry.gauge(name, () -> new DefaultSettableGauge<>(0L));
    gauge.setValue(value);
  }

  private Counter counter(String name) {
    return registry.counter(name);
  }

  private static String tags(SourceRef source, String... more) {
    List<String> all = new ArrayList<>(List.of("schema_id", source.schemaId()));
    all.addAll(List.of(more));
    return teamTags(source, all.toArray(new String[0]));
  }

  private static String teamTags(SourceRef source, String... more) {
    StringBuilder text = new StringBuilder();
    text.append("{team_id=\"").append(source.team()).append('"');
    for (int at = 0; at + 1 < more.length; at += 2) {
      append(text, more[at], more[at + 1]);
    }
    return text.append('}').toString();
  }

  private static String tag(String key, String value) {
    return "{" + key + "=\"" + escaped(value) + "\"}";
  }

  private static void append(StringBuilder text, String key, String value) {
    text.append(',').append(key).append("=\"").append(escaped(value)).append('"');
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
