package dev.sluice.worker.bench;

import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.worker.bench.WriterCrowd.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures commits per second of several writers: ours through one catalog, the extension's through
 * a DuckDB each, in lakes of the same PostgreSQL.
 */
public final class CommitBench {

  /** Not counted, on either side: first commits read layouts and open connections. */
  private static final Duration WARM_UP = Duration.ofSeconds(2);

  /** As long as this the compiler takes more of two cores than our commits do. */
  private static final Duration OUR_WARM_UP = Duration.ofSeconds(8);

  private final CommitPlan plan;
  private final Consumer<String> progress;

  /**
   * Prepares a measurement.
   *
   * @param progress hears of each step in words
   */
  public CommitBench(CommitPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Measures. Failures that reach a writer are counted and reported, not thrown.
   *
   * @throws IllegalStateException when a side cannot be set up, or a commit of ours is lost
   * @throws InterruptedException when the calling thread is interrupted
   */
  public BenchReport run() throws InterruptedException {
    try (BenchStack stack = BenchStack.local();
        OurWriters ours = new OurWriters(stack, oneRow(stack));
        DuckDbWriters duckDb = new DuckDbWriters(stack, plan.writers())) {
      CommitFigures figures =
          new CommitFigures(
              ours("appending to tables of their own", ours, ours.appending(plan.writers())),
              theirs("appending to tables of their own", duckDb.appending()),
              ours("publishing tables of their own", ours, ours.publishing(plan.writers())),
              theirs("replacing tables of their own", duckDb.replacing()),
              ours("publishing one table", ours, ours.publishingOneTable(plan.writers())),
              theirs("replacing one table", duckDb.replacingOneTable()));
      return CommitReport.of(plan, figures);
    }
  }

  private Outcome ours(String what, OurWriters ours, List<WriterCrowd.Writer> writers)
      throws InterruptedException {
    progress.accept("ours " + what);
    long before = ours.newestSnapshot();
    Outcome warmUp = WriterCrowd.run(writers, OUR_WARM_UP);
    Outcome outcome = WriterCrowd.run(writers, plan.duration());
    long made = ours.newestSnapshot() - before;
    long committed = warmUp.commits() + outcome.commits();
    if (made != committed) {
      throw BenchErrors.wrongCount("snapshots of our commits", committed, made);
    }
    return outcome;
  }

  private Outcome theirs(String what, List<WriterCrowd.Writer> writers)
      throws InterruptedException {
    progress.accept("DuckDB's " + what);
    WriterCrowd.run(writers, WARM_UP);
    return WriterCrowd.run(writers, plan.duration());
  }

  private static byte[] oneRow(BenchStack stack) {
    Path file = stack.folder().resolve("one.parquet");
    try (DuckLakeSession duckDb = DuckLakeSession.open(List.of())) {
      duckDb.execute(
          "COPY (SELECT 1::BIGINT AS id, 'one' AS name) TO '%s' (FORMAT parquet)"
              .formatted(file.toString().replace("'", "''")));
      return Files.readAllBytes(file);
    } catch (SQLException e) {
      throw BenchErrors.database("writing a file of one row", e);
    } catch (IOException e) {
      throw BenchErrors.folder("writing a file of one row", e);
    }
  }
}
