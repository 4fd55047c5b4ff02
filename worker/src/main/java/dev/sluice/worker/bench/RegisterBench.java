package dev.sluice.worker.bench;

import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Measures our register path against {@code ducklake_add_data_files}, a bare copy and a bare COPY,
 * one after the other in one run.
 */
public final class RegisterBench {

  /** Few, because each of ours ends with waiting for the ledger, which a landing does once. */
  private static final int TURNS = 2;

  private static final int WARM_UPS = 2;

  private static final int UPLOADS_IN_FLIGHT = 8;

  /** As many as publications, those of the warm-ups included: the shortest of each is compared. */
  private static final int BARE_COPIES = WARM_UPS + 1;

  private final RegisterPlan plan;
  private final Consumer<String> progress;

  /**
   * Prepares a measurement.
   *
   * @param progress hears of each step in words
   */
  public RegisterBench(RegisterPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @throws IllegalStateException when a side fails or does not register what it was given
   * @throws InterruptedException when the calling thread is interrupted
   */
  public BenchReport run() throws InterruptedException {
    try (BenchStack stack = plan.onS3() ? BenchStack.withS3() : BenchStack.local()) {
      ObjectStore source = stack.stores().open(stack.location("source"));
      progress.accept("writing %d files of %d columns".formatted(plan.files(), plan.columns()));
      makeFiles(stack, source, plan);
      RegisterFigures figures = new RegisterFigures();
      try (HeapWatch heap = HeapWatch.start()) {
        ours(stack, source, figures);
        figures.heapPeakBytes = heap.peakBytes();
        figures.heapKeptBytes = heap.keptBytes();
      }
      bareRows(stack, figures);
      duckDb(stack, source, figures);
      return RegisterReport.of(plan, figures);
    }
  }

  /** Writes the plan's files into the source. */
  static void makeFiles(BenchStack stack, ObjectStore source, RegisterPlan plan)
      throws InterruptedException {
    switch (source.location()) {
      case StorageLocation.Local local -> SampleFiles.write(local.directory(), plan.files(), plan);
      case StorageLocation.S3 s3 -> {
        Path folder = stack.folder().resolve("samples");
        SampleFiles.write(folder, plan.files(), plan);
        Parallel.run(
            IntStream.range(0, plan.files()).boxed().toList(),
            UPLOADS_IN_FLIGHT,
            file ->
                source.put(SampleFiles.name(file), read(folder.resolve(SampleFiles.name(file)))),
            (file, stored) -> {});
      }
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw BenchErrors.folder("reading a sample file", e);
    }
  }

  private void ours(BenchStack stack, ObjectStore source, RegisterFigures figures)
      throws InterruptedException {
    try (OurLake lake = OurLake.make(stack)) {
      for (int i = 1; i <= WARM_UPS; i++) {
        progress.accept("registering all files, not counted: %d of %d".formatted(i, WARM_UPS));
        OurRegistration registration = new OurRegistration(lake, source, "warm_up_" + i);
        warmUp(registration);
        figures.transaction(registration.transactionSeconds());
      }
      stack.latency(plan.latency());
      OurRegistration ours = new OurRegistration(lake, source, "files");
      List<LandingFile> files = ours.prepare();
      figures.bytes = files.stream().mapToLong(LandingFile::sizeBytes).sum();
      stack.callsSince();

      land(stack, source, ours, files, figures);
      ProcessorWatch processor = ProcessorWatch.start(stack);
      step("inspecting", figures.inspect, ours::inspect);
      figures.inspectCalls = stack.callsSince();
      step("verifying", figures.verify, ours::verify);
      figures.verifyCalls = stack.callsSince();
      step("publishing", figures.publish, ours::publish);
      figures.publishCalls = stack.callsSince();
      ProcessorWatch.Seconds used = processor.stop();
      figures.endpointProcessorSeconds = used.endpoint();
      figures.ourProcessorSeconds = used.ours();
      figures.transaction(ours.transactionSeconds());
      if (plan.onS3()) {
        step(
            "reading tails",
            figures.tails,
            () ->
                BareWork.readTails(
                    lake.store(), files.stream().map(LandingFile::landedKey).toList()));
        step("listing", figures.listing, () -> BareWork.list(lake.store(), ours.prefix()));
        stack.callsSince();
      }
    }
  }

  /** A worker runs for days, and its first hundred thousand requests compile its code. */
  private void warmUp(OurRegistration registration) throws InterruptedException {
    registration.land(registration.prepare());
    registration.inspect();
    registration.verify();
    registration.publish();
  }

  private void land(
      BenchStack stack,
      ObjectStore source,
      OurRegistration ours,
      List<LandingFile> files,
      RegisterFigures figures)
      throws InterruptedException {
    ObjectStore bare = stack.stores().open(stack.location("bare-copy"));
    progress.accept("landing, in turns with a bare copy");
    Turns.take(
        TURNS,
        files,
        part -> figures.landing.time(() -> ours.land(part)),
        part -> figures.bareCopy.time(() -> BareWork.copy(source, bare, part)));
    stack.callsSince();
  }

  private void step(String what, Stopwatch watch, Stopwatch.Work<InterruptedException> work)
      throws InterruptedException {
    progress.accept(what);
    watch.time(work);
  }

  private void bareRows(BenchStack stack, RegisterFigures figures) {
    // Attaching makes DuckDB's catalog, whose tables are the pattern for the bare ones.
    new DuckDbRegistration(stack).close();
    progress.accept("copying the same rows into bare tables");
    BareRows rows = BareRows.of(stack.database(BenchStack.OURS), OurLake.METADATA_SCHEMA);
    figures.rows = rows.count();
    for (int i = 0; i < BARE_COPIES; i++) {
      figures.bareRows(rows.write(stack.database(BenchStack.DUCKDB)));
    }
  }

  private void duckDb(BenchStack stack, ObjectStore source, RegisterFigures figures) {
    try (DuckDbRegistration duckDb = new DuckDbRegistration(stack)) {
      if (plan.extrapolates()) {
        int half = Math.max(1, plan.duckDbFiles() / 2);
        figures.duckDbHalfSeconds = addFirst(stack, source, duckDb, half);
        figures.duckDbSeconds = addFirst(stack, source, duckDb, plan.duckDbFiles());
      } else {
        progress.accept("ducklake_add_data_files of all files; this takes the longest");
        stack.callsSince();
        figures.duckDbSeconds = duckDb.add(source, plan.files());
      }
      figures.duckDbCalls = stack.callsSince();
    }
  }

  /** The shorter of two: one hiccup of the machine would bend the line through both points. */
  private double addFirst(
      BenchStack stack, ObjectStore source, DuckDbRegistration duckDb, int files) {
    return Math.min(
        addCopies(stack, source, duckDb, files, 1), addCopies(stack, source, duckDb, files, 2));
  }

  /** Copies of their own each time: DuckDB remembers the files that it has seen. */
  private double addCopies(
      BenchStack stack, ObjectStore source, DuckDbRegistration duckDb, int files, int time) {
    progress.accept("ducklake_add_data_files of %d files, %d of 2".formatted(files, time));
    stack.latency(Duration.ZERO);
    ObjectStore subset = stack.stores().open(stack.location("first-" + files + "-" + time));
    DuckDbRegistration.copyFirst(source, subset, files);
    stack.latency(plan.latency());
    stack.callsSince();
    return duckDb.add(subset, files);
  }
}
