package dev.sluice.worker.bench;

import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.storage.ObjectStore;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures our copy path against a bare copy of the same objects and against DuckDB's own reading
 * and writing of the same Delta table, one after the other in one run.
 */
public final class CopyBench {

  private static final int TURNS = 4;

  private static final int WARM_UP_FILES = 100;
  private static final int WARM_UP_ROWS = 100;
  private static final int WARM_UPS = 5;

  private final RegisterPlan plan;
  private final Consumer<String> progress;

  /**
   * Prepares a measurement.
   *
   * @param plan the files; how many DuckDB gets is not used, it reads the whole table
   * @param progress hears of each step in words
   */
  public CopyBench(RegisterPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @throws IllegalStateException when a side fails or does not copy what it was given
   * @throws InterruptedException when the calling thread is interrupted
   */
  public BenchReport run() throws InterruptedException {
    try (BenchStack stack = plan.onS3() ? BenchStack.withS3() : BenchStack.local()) {
      ObjectStore source = stack.stores().open(stack.location("source"));
      progress.accept("writing %d files of %d columns".formatted(plan.files(), plan.columns()));
      RegisterBench.makeFiles(stack, source, plan);
      SampleDeltaTable.write(source, plan);
      CopyFigures figures = new CopyFigures();
      try (HeapWatch heap = HeapWatch.start()) {
        stack.latency(plan.latency());
        ours(stack, source, figures);
        figures.heapPeakBytes = heap.peakBytes();
      }
      progress.accept("CREATE TABLE AS FROM delta_scan");
      figures.duckDbSeconds =
          DuckDbCopy.seconds(stack, source, (long) plan.files() * plan.rowsPerFile());
      return CopyReport.of(plan, figures);
    }
  }

  private void ours(BenchStack stack, ObjectStore source, CopyFigures figures)
      throws InterruptedException {
    try (OurLake lake = OurLake.make(stack)) {
      warmUp(stack, lake);
      OurCopy copy = new OurCopy(stack, lake, source, "copied");
      step("reading the log", figures.prepare, copy::prepare);
      List<LedgerFile> files = copy.files();
      figures.bytes = files.stream().mapToLong(LedgerFile::sizeBytes).sum();
      land(stack, source, copy, files, figures);
      step("inspecting", figures.inspect, copy::inspect);
      step("verifying", figures.verify, copy::verify);
      step("publishing", figures.publish, copy::publish);
    }
  }

  /** Not counted: a worker runs for days, and the first copies compile its code. */
  private void warmUp(BenchStack stack, OurLake lake) throws InterruptedException {
    progress.accept("warming up");
    int files = Math.min(WARM_UP_FILES, plan.files());
    RegisterPlan small =
        new RegisterPlan(files, plan.columns(), WARM_UP_ROWS, plan.latency(), files);
    ObjectStore source = stack.stores().open(stack.location("warm-up"));
    RegisterBench.makeFiles(stack, source, small);
    SampleDeltaTable.write(source, small);
    ObjectStore bare = stack.stores().open(stack.location("warm-up-copy"));
    for (int i = 0; i < WARM_UPS; i++) {
      OurCopy copy = new OurCopy(stack, lake, source, "warm_up_" + i);
      copy.prepare();
      copy.land(copy.files());
      BareWork.copy(source, bare, objects(copy.files()));
      copy.inspect();
      copy.verify();
      copy.publish();
    }
  }

  private void land(
      BenchStack stack,
      ObjectStore source,
      OurCopy copy,
      List<LedgerFile> files,
      CopyFigures figures)
      throws InterruptedException {
    ObjectStore bare = stack.stores().open(stack.location("bare-copy"));
    progress.accept("landing, in turns with a bare copy");
    Turns.take(
        TURNS,
        files,
        part -> figures.landing.time(() -> copy.land(part)),
        part -> {
          List<LandingFile> objects = objects(part);
          figures.bareCopy.time(() -> BareWork.copy(source, bare, objects));
        });
  }

  /** What a bare copy copies: the same objects to the same relative paths. */
  private static List<LandingFile> objects(List<LedgerFile> files) {
    return files.stream().map(BenchLanding::landing).toList();
  }

  private void step(String what, Stopwatch watch, Stopwatch.Work<InterruptedException> work)
      throws InterruptedException {
    progress.accept(what);
    watch.time(work);
  }
}
