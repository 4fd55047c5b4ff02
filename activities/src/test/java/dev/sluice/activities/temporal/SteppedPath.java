package dev.sluice.activities.temporal;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.temporal.CrashPlan.Passed;
import dev.sluice.catalog.Catalog;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.provider.Arguments;

/** The register path with a {@link CrashPlan} around everything that its worker touches. */
final class SteppedPath implements AutoCloseable {

  final RegisterFixture path;
  final HikariDataSource lakePool;

  private SteppedPath(RegisterFixture path) {
    this.path = path;
    this.lakePool = path.lakeDatabase.dataSource(2);
  }

  /** Starts it. */
  static SteppedPath start(Path scratch, CrashPlan plan) throws SQLException {
    return start(scratch, plan, plan, RegisterFixture.Faults.MANY);
  }

  /**
   * Starts it.
   *
   * @param steps hears of the steps, and lets the plan hear of them
   * @param atOnce activities that the worker carries out at a time
   */
  static SteppedPath start(Path scratch, CrashPlan plan, Steps steps, int atOnce)
      throws SQLException {
    SteppedPath stepped =
        new SteppedPath(
            RegisterFixture.local(
                scratch,
                new RegisterFixture.Faults(
                    home -> SteppedDatabase.of(home, "home", steps), plan.interceptor(), atOnce)));
    DataSource lakeSteps = SteppedDatabase.of(stepped.lakePool, "lake", steps);
    stepped.path.lakeFault =
        lake ->
            new LakeAccess(
                lake.name(),
                // opened by every activity, as by a worker that has just begun
                Catalog.open(lakeSteps, lake.key()),
                new SteppedStore(lake.store(), "lake store", steps),
                new StateDatabase("lake main", lakeSteps),
                lake.probe());
    stepped.path.sourceFault = store -> new SteppedStore(store, "source store", steps);
    return stepped;
  }

  /** Every gap between two steps: the number of the step before it, and its name. */
  static Stream<Arguments> gaps(List<Passed> steps) {
    return IntStream.range(0, steps.size())
        .mapToObj(
            after ->
                Arguments.of(
                    after,
                    "after "
                        + steps.get(after).name()
                        + " and "
                        + (after + 1 < steps.size()
                            ? "before " + steps.get(after + 1).name()
                            : "before the run ends")));
  }

  @Override
  public void close() throws SQLException {
    path.close();
    lakePool.close();
  }
}
