package dev.sluice.activities.temporal;

import dev.sluice.workflows.activity.CopyActivities;
import dev.sluice.workflows.activity.CopyPlan;
import dev.sluice.workflows.activity.CopyPrepareInput;
import dev.sluice.workflows.activity.LandResult;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.VerifyResult;

/** What a copy of a Delta table does otherwise than a registration. */
public final class CopyStage implements CopyActivities {

  private final CopyPrepare prepare;
  private final CopyLand land;
  private final CopyVerify verify;
  private final Failures failures;

  /** Makes the stage. */
  public CopyStage(
      PrepareStage.Home home,
      Verifier verifier,
      Lakes lakes,
      LakeFiles lakeFiles,
      Sources sources,
      Failures failures,
      Limits limits) {
    this.prepare = new CopyPrepare(home, lakes, sources, failures);
    this.land = new CopyLand(home.events(), lakes, lakeFiles, sources, limits);
    this.verify = new CopyVerify(verifier, lakes, sources, limits);
    this.failures = failures;
  }

  @Override
  public CopyPlan prepareCopy(CopyPrepareInput input) {
    return failures.mapped(() -> new Beats().during(() -> prepare.prepared(input)));
  }

  @Override
  public LandResult landCopy(StageInput input) {
    return failures.mapped(() -> land.landed(input));
  }

  @Override
  public VerifyResult verifyCopy(StageInput input) {
    return failures.mapped(() -> verify.verified(input));
  }
}
