package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.CheckResults;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.InspectionLedger;
import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.EngineLimits;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.TemporaryFolder;
import dev.sluice.activities.verify.CheckPlan;
import dev.sluice.activities.verify.CheckPlans;
import dev.sluice.activities.verify.LandedSide;
import dev.sluice.activities.verify.QueryParameters;
import dev.sluice.activities.verify.Side;
import dev.sluice.activities.verify.SourceSide;
import dev.sluice.activities.verify.Verification;
import dev.sluice.catalog.Table;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.VerifyResult;
import dev.sluice.workflows.activity.WorkflowPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Verifies landings as the configuration says, whatever path they came by; the caller supplies the
 * source's side. Everything happens before publication. Thread-safe.
 */
public final class Verifier {

  /** What copies of an S3 lake's files take on this machine while a batch of them is read. */
  private static final long COPY_BYTES = 1L << 30;

  private final CheckResults store;
  private final CheckPlans plans;
  private final Settings settings;
  private final Failures failures;
  private final Semaphore slots;

  /**
   * What looking into data may take.
   *
   * @param memoryBytes memory of one verification's DuckDB, outside of Java's heap
   * @param atATime verifications of this worker that read data at the same time; the others wait
   */
  public record Settings(long memoryBytes, int atATime) {

    /** A verification is bound by reading, not by memory. */
    public static final long DEFAULT_MEMORY_BYTES = 512L << 20;

    /** Each one uses all processors. */
    public static final int DEFAULT_AT_A_TIME = 2;

    /** Checks the numbers. */
    public Settings {
      if (memoryBytes < 1 || atATime < 1) {
        throw new IllegalArgumentException(
            "at least 1 byte and 1 verification at a time, got %d and %d"
                .formatted(memoryBytes, atATime));
      }
    }

    /** What suits most workers. */
    public static Settings defaults() {
      return new Settings(DEFAULT_MEMORY_BYTES, DEFAULT_AT_A_TIME);
    }
  }

  /**
   * What the source is.
   *
   * @param rows its rows
   * @param counts makes the checks that count
   * @param side makes how its files are read; asked only when a check looks inside
   * @param parameters what queries may bind
   */
  record Source(
      long rows,
      Function<CheckPlan, List<CheckResult>> counts,
      SideMaker side,
      QueryParameters parameters) {}

  /** Makes how a source's files are read. */
  @FunctionalInterface
  interface SideMaker {

    /**
     * Makes it.
     *
     * @param live the table as it is; empty before its first publication
     */
    SourceSide side(Optional<Table> live) throws InterruptedException;
  }

  /** Makes a verifier. */
  public Verifier(CheckResults store, CheckPlans plans, Settings settings, Failures failures) {
    this.store = store;
    this.plans = plans;
    this.settings = settings;
    this.failures = failures;
    this.slots = new Semaphore(settings.atATime(), true);
  }

  /** What an earlier call of this very attempt found; see {@link Landings#verifiedBefore}. */
  Optional<VerifyResult> verifiedBefore(LakeAccess lake, StageInput input) {
    return Landings.verifiedBefore(lake, input, store);
  }

  /**
   * Runs all checks of the table, stores their results, and lets the landing go on or quarantines
   * it.
   *
   * @param refusal makes the message out of what the failed checks say
   * @throws io.temporal.failure.ApplicationFailure {@code VerificationFailed}
   */
  VerifyResult verified(
      LakeAccess lake, StageInput input, Source source, Beats beats, UnaryOperator<String> refusal)
      throws Exception {
    CheckPlan plan =
        plans.of(LiveTables.name(input.preparation()), input.trigger().sourceSchemaId());
    List<CheckResult> results = new ArrayList<>(source.counts().apply(plan));
    if (plan.looksInside()) {
      results.addAll(inside(plan, lake, input, source, beats));
    }
    return Landings.concluded(lake, input, store, failures, results, source.rows(), refusal);
  }

  /**
   * What queries may bind.
   *
   * @param source where the source's files are
   */
  static QueryParameters parameters(StageInput input, ObjectStore source) {
    RegisterTrigger trigger = input.trigger();
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put(QueryParameters.TEAM_ID, trigger.team());
    values.put(QueryParameters.JOB_ID, trigger.jobId());
    values.put(QueryParameters.MODEL_LABEL, trigger.table());
    if (trigger.path() == WorkflowPath.MODEL) {
      values.put(QueryParameters.SAVED_QUERY_ID, trigger.sourceSchemaId());
      values.put(QueryParameters.SAVED_QUERY_NAME, trigger.table());
      values.put(QueryParameters.NORMALIZED_NAME, trigger.prefix());
    }
    values.put(QueryParameters.SOURCE_TABLE_URI, source.location().uri());
    values.put(QueryParameters.SCHEMA_NAME, input.preparation().schema());
    values.put(QueryParameters.TABLE_NAME, input.preparation().table());
    return new QueryParameters(values);
  }

  private List<CheckResult> inside(
      CheckPlan plan, LakeAccess lake, StageInput input, Source source, Beats beats)
      throws Exception {
    Inspection content =
        InspectionLedger.read(
            lake.state(), Attempts.landing(lake, input.preparation()), lake.store());
    Optional<Table> live = LiveTables.find(lake, input.preparation());
    try (TemporaryFolder scratch = TemporaryFolder.create()) {
      // copies of its own: what the worker keeps of the lake's files may be older than they are
      Path copies = scratch.path().resolve("landed");
      Side landed = LandedSide.of(content, live, DataFiles.of(lake.store(), copies, COPY_BYTES));
      Verification verification =
          new Verification(
              plan,
              source.side().side(live),
              landed,
              content.partitioning(),
              source.parameters(),
              new EngineLimits(settings.memoryBytes(), scratch.path()));
      return beats.whileRunning(() -> inASlot(verification), verification::cancel);
    }
  }

  private List<CheckResult> inASlot(Verification verification) throws InterruptedException {
    slots.acquire();
    try {
      return verification.run();
    } finally {
      slots.release();
    }
  }
}
