package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.landing.DeltaPlan;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.InspectionBasis;
import dev.sluice.activities.landing.Inspector;
import dev.sluice.activities.landing.LandedFacts;
import dev.sluice.activities.parquet.MatchOptions;
import dev.sluice.catalog.Table;
import dev.sluice.workflows.activity.InspectActivities;
import dev.sluice.workflows.activity.InspectResult;
import dev.sluice.workflows.activity.StageInput;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads the footers of landed files into the ledger, unless that was done to the end already, from
 * the same files and for the same live table. The footers of a Delta table's files were read as
 * they landed, each in the one place where its object has ever been.
 */
public final class InspectStage implements InspectActivities {

  private final Lakes lakes;
  private final Sources sources;
  private final Failures failures;
  private final Limits limits;

  /** Makes the stage. */
  public InspectStage(Lakes lakes, Sources sources, Failures failures, Limits limits) {
    this.lakes = lakes;
    this.sources = sources;
    this.failures = failures;
    this.limits = limits;
  }

  @Override
  public InspectResult inspect(StageInput input) {
    return failures.mapped(() -> inspected(input));
  }

  private InspectResult inspected(StageInput input) throws InterruptedException {
    LakeAccess lake = lakes.require(input.preparation().lake());
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    List<LedgerFile> files = lake.state().read(dsl -> LandingFiles.files(dsl, key));
    Optional<Table> live = LiveTables.find(lake, input.preparation());
    Beats beats = new Beats(input.preparation());
    Optional<DeltaPlan> plan =
        lake.state().read(dsl -> LandingLedger.findPlan(dsl, key)).map(DeltaPlan::parse);
    Inspector inspector = new Inspector(lake.store(), lake.probe(), limits.footers());
    if (plan.isPresent()) {
      return Landings.inspected(
          lake,
          input,
          inspector.inspect(
              files.stream().map(file -> landed(file, key)).toList(),
              files.stream().map(InspectStage::facts).toList(),
              plan.get(),
              live,
              (read, total) -> beats.at(read)),
          InspectionBasis.NONE);
    }
    MatchOptions options = sources.options(input.trigger()).match();
    String basis = InspectionBasis.of(files, live, options);
    Optional<InspectResult> before = Landings.inspectedBefore(lake, input, basis);
    if (before.isPresent()) {
      return before.get();
    }
    Inspection inspection =
        inspector.inspect(
            files.stream().map(file -> landed(file, key)).toList(),
            live,
            options,
            (read, total) -> beats.at(read));
    return Landings.inspected(lake, input, inspection, basis);
  }

  private static LandedFacts facts(LedgerFile file) {
    return LandedFacts.parse(
        Objects.requireNonNull(file.landed(), "a planned file that landed has facts").facts());
  }

  private static Inspector.Landed landed(LedgerFile file, LandingLedger.Key key) {
    return new Inspector.Landed(
        file.objectKey(), file.landedPath().substring(key.landingId().length()));
  }
}
