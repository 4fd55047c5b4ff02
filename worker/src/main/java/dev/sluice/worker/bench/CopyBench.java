package dev.sluice.worker.bench;

import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Measures our copy path against a bare copy of the same objects and against DuckDB's own reading
 * and writing of the same Delta table, one after the other in one run.
 */
public final class CopyBench {

  private static final int WARM_UP_FILES = 100;
  private static final int WARM_UP_ROWS = 100;

  /** Few for a test, and enough for the compiler where a figure is wanted. */
  private static final int WARM_UPS_PER_ROUND = 4;

  private final RegisterPlan plan;
  private final int rounds;
  private final Consumer<String> progress;

  /**
   * Prepares a measurement.
   *
   * @param plan the files; how many DuckDB gets is not used, it reads the whole table
   * @param rounds each is two whole copies and two bare ones, once the one first and once the
   *     other: what comes second finds the disk still busy with the first; the round of median
   *     ratio counts
   * @param progress hears of each step in words
   * @throws IllegalArgumentException unless there is at least one round
   */
  public CopyBench(RegisterPlan plan, int rounds, Consumer<String> progress) {
    if (rounds < 1) {
      throw new IllegalArgumentException("at least 1 round, got " + rounds);
    }
    this.plan = plan;
    this.rounds = rounds;
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
      CopyFigures figures;
      try (HeapWatch heap = HeapWatch.start()) {
        stack.latency(plan.latency());
        figures = ours(stack, source);
        figures.heapPeakBytes = heap.peakBytes();
      }
      progress.accept("CREATE TABLE AS FROM delta_scan");
      figures.duckDbSeconds =
          DuckDbCopy.seconds(stack, source, (long) plan.files() * plan.rowsPerFile());
      return CopyReport.of(plan, figures);
    }
  }

  private CopyFigures ours(BenchStack stack, ObjectStore source) throws InterruptedException {
    try (OurLake lake = OurLake.make(stack)) {
      warmUp(stack, lake);
      List<CopyFigures> measured = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        progress.accept("round %d of %d".formatted(round + 1, rounds));
        CopyFigures figures = new CopyFigures();
        for (boolean bareFirst : new boolean[] {round % 2 == 0, round % 2 != 0}) {
          String table = "copied_%d_%s".formatted(round, bareFirst ? "second" : "first");
          turn(stack, lake, new OurCopy(stack, lake, source, table), bareFirst, figures);
        }
        measured.add(figures);
      }
      return CopyFigures.median(measured);
    }
  }

  private static void turn(
      BenchStack stack, OurLake lake, OurCopy copy, boolean bareFirst, CopyFigures figures)
      throws InterruptedException {
    figures.turns++;
    figures.prepare.time(copy::prepare);
    List<LedgerFile> files = copy.files();
    figures.bytes = files.stream().mapToLong(LedgerFile::sizeBytes).sum();
    if (bareFirst) {
      bareCopy(stack, copy.source(), files, figures);
    }
    figures.landing.time(() -> copy.land(files));
    figures.inspect.time(copy::inspect);
    figures.verify.time(copy::verify);
    figures.publish.time(copy::publish);
    empty(lake.store());
    if (!bareFirst) {
      bareCopy(stack, copy.source(), files, figures);
    }
  }

  private static void bareCopy(
      BenchStack stack, ObjectStore source, List<LedgerFile> files, CopyFigures figures) {
    ObjectStore bare = stack.stores().open(stack.location("bare-copy"));
    List<LandingFile> objects = objects(files);
    figures.bareCopy.time(() -> BareWork.copy(source, bare, objects));
    empty(bare);
  }

  /** So that every copy finds as much room as the first. */
  private static void empty(ObjectStore store) {
    List<String> keys;
    try (Stream<ObjectInfo> objects = store.list("")) {
      keys = objects.map(ObjectInfo::key).toList();
    }
    store.delete(keys);
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
    for (int i = 0; i < WARM_UPS_PER_ROUND * rounds; i++) {
      OurCopy copy = new OurCopy(stack, lake, source, "warm_up_" + i);
      copy.prepare();
      copy.land(copy.files());
      BareWork.copy(source, bare, objects(copy.files()));
      copy.inspect();
      copy.verify();
      copy.publish();
    }
  }

  /** What a bare copy copies: the same objects to the same relative paths. */
  private static List<LandingFile> objects(List<LedgerFile> files) {
    return files.stream()
        .map(
            file ->
                new LandingFile(
                    file.sourceKey(), file.landedPath(), file.sizeBytes(), null, file.modifiedAt()))
        .toList();
  }
}
