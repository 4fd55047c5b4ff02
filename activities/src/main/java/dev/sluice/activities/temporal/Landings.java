package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.CheckResults;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingFiles.Copied;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.landing.Inspection;
import dev.sluice.activities.landing.InspectionBasis;
import dev.sluice.activities.landing.InspectionLedger;
import dev.sluice.activities.landing.LandedNotes;
import dev.sluice.activities.verify.CheckPlan;
import dev.sluice.activities.verify.CountChecks;
import dev.sluice.activities.verify.Failed;
import dev.sluice.activities.verify.SourceCounts;
import dev.sluice.workflows.activity.InspectResult;
import dev.sluice.workflows.activity.LandResult;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.VerifyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;

/**
 * Takes a landing on from stage to stage in the ledger, whether its files come from a prepared
 * folder or from the lake itself. Every step holds the fence.
 */
final class Landings {

  private Landings() {}

  /**
   * Notes files as they land. Every batch asks for the fence anew, so that an overtaken landing
   * soon ends.
   *
   * @param alive called now and then while the caller has to wait
   */
  static LandedNotes<Copied> notes(LakeAccess lake, StageInput input, Runnable alive) {
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    return notes(lake, input, (dsl, files) -> LandingFiles.copied(dsl, key, files), alive);
  }

  /**
   * As the other, for files of which something else is known than that they were copied.
   *
   * @param ledger writes it down
   */
  static <T> LandedNotes<T> notes(
      LakeAccess lake, StageInput input, BiConsumer<DSLContext, List<T>> ledger, Runnable alive) {
    return new LandedNotes<>(
        files -> Attempts.changeLanding(lake, input, dsl -> ledger.accept(dsl, files)), alive);
  }

  /** All files have landed. */
  static LandResult landed(LakeAccess lake, StageInput input) {
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    Attempts.changeLanding(
        lake, input, dsl -> LandingLedger.advance(dsl, key, LandingLedger.LandingState.LANDED));
    LandingFiles.Totals totals = lake.state().read(dsl -> LandingFiles.totals(dsl, key));
    return new LandResult(totals.landed(), totals.landedBytes());
  }

  /**
   * Takes an inspection as made that an earlier call or attempt brought to its end.
   *
   * @param basis what one would be made from now, see {@link InspectionBasis}
   * @return empty when there is none from the same
   */
  static Optional<InspectResult> inspectedBefore(LakeAccess lake, StageInput input, String basis) {
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    List<InspectionLedger.Summary> found = new ArrayList<>();
    Attempts.changeLanding(
        lake,
        input,
        dsl ->
            InspectionLedger.find(dsl, key, basis)
                .ifPresent(
                    made -> {
                      LandingLedger.advance(dsl, key, LandingLedger.LandingState.INSPECTED);
                      found.add(made);
                    }));
    return found.stream()
        .map(made -> new InspectResult(made.rows(), made.files(), made.columns()))
        .findFirst();
  }

  /**
   * Writes down what the footers say.
   *
   * @param basis what it was made from, see {@link InspectionBasis}
   */
  static InspectResult inspected(
      LakeAccess lake, StageInput input, Inspection inspection, String basis) {
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    Attempts.changeLanding(
        lake,
        input,
        dsl -> {
          InspectionLedger.write(dsl, key, lake.store(), inspection, basis);
          LandingLedger.advance(dsl, key, LandingLedger.LandingState.INSPECTED);
        });
    return new InspectResult(
        inspection.rows(),
        inspection.files().size() + inspection.emptyFiles(),
        inspection.columns().size());
  }

  /** What has landed by the ledger, to be compared with the source. */
  static SourceCounts counts(LakeAccess lake, StageInput input) {
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    LandingFiles.Totals totals = lake.state().read(dsl -> LandingFiles.totals(dsl, key));
    return new SourceCounts(totals.inspected(), totals.rows(), totals.landedBytes());
  }

  /**
   * Takes a verification as passed that an earlier call of this very attempt has brought to its
   * end, without saying so. Another attempt looks at the source anew.
   */
  static Optional<VerifyResult> verifiedBefore(
      LakeAccess lake, StageInput input, CheckResults checks) {
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    List<CheckResult> results = checks.of(Attempts.key(input));
    boolean verified =
        lake.state()
            .read(dsl -> LandingLedger.find(dsl, key))
            .filter(landing -> landing.state() == LandingLedger.LandingState.VERIFIED)
            .isPresent();
    return verified && !results.isEmpty() && results.stream().allMatch(CheckResult::passed)
        ? Optional.of(
            new VerifyResult(
                results.size(), lake.state().read(dsl -> LandingFiles.totals(dsl, key)).rows()))
        : Optional.empty();
  }

  /**
   * Compares the counts of what has landed with what should have; see {@link #concluded}.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code VerificationFailed}
   */
  static VerifyResult verified(
      LakeAccess lake,
      StageInput input,
      CheckResults checks,
      Failures failures,
      SourceCounts expected,
      UnaryOperator<String> refusal) {
    List<CheckResult> results =
        CountChecks.compare(CheckPlan.DEFAULT, expected, counts(lake, input));
    return concluded(lake, input, checks, failures, results, expected.rows(), refusal);
  }

  /**
   * Stores the results of all checks; one that failed quarantines the landing.
   *
   * @param rows rows of the source
   * @param refusal makes the message out of what the failed checks say
   * @throws io.temporal.failure.ApplicationFailure {@code VerificationFailed}
   */
  static VerifyResult concluded(
      LakeAccess lake,
      StageInput input,
      CheckResults checks,
      Failures failures,
      List<CheckResult> results,
      long rows,
      UnaryOperator<String> refusal) {
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    checks.store(Attempts.key(input), results);
    String failed = Failed.inWords(results);
    if (!failed.isEmpty()) {
      String message = refusal.apply(failed);
      Attempts.changeLanding(lake, input, dsl -> LandingLedger.quarantine(dsl, key, message));
      throw failures.verificationFailed(message);
    }
    Attempts.changeLanding(
        lake, input, dsl -> LandingLedger.advance(dsl, key, LandingLedger.LandingState.VERIFIED));
    return new VerifyResult(results.size(), rows);
  }
}
