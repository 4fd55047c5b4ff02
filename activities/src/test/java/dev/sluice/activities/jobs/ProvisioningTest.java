package dev.sluice.activities.jobs;

import static dev.sluice.activities.jobs.StateFixture.SOURCE;
import static dev.sluice.activities.jobs.StateFixture.START;
import static dev.sluice.activities.jobs.StateFixture.key;
import static dev.sluice.activities.jobs.StateFixture.opening;
import static dev.sluice.activities.jobs.StateFixture.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProvisioningTest {
  private final StateFixture state = new StateFixture();

  @AfterEach
  void close() {
    state.close();
  }

  @Test
  void whatIsConfiguredIsFoundAndALaterConfigurationWins() {
    state.provision();
    state.provision();
    Provisioning.Source renamed =
        new Provisioning.Source(SOURCE, "Postgres", "", "flights", "s3://prepared/team_2");
    state.provisioning.put(renamed);

    assertThat(state.provisioning.findSource(SOURCE)).contains(renamed);
    assertThat(state.provisioning.sources()).containsExactly(renamed);
    assertThat(state.provisioning.requireTeam(2).importsSchema())
        .isEqualTo("insights_data_imports_team_2");
    assertThat(state.provisioning.findLake("main").orElseThrow().metadataSchema())
        .isEqualTo("ducklake");
  }

  @Test
  void aMissingTeamOrLakeIsRefusedWithTheRemedy() {
    assertThatThrownBy(() -> state.provisioning.requireTeam(9))
        .hasMessage(
            "team 9: not provisioned; the home database has no such team; add it to the"
                + " configuration's section teams and restart the worker")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.NOT_PROVISIONED, StateException::kind);
    assertThatThrownBy(
            () -> state.provisioning.put(new Provisioning.Team(9, "none", "copy_v1", "a", "b")))
        .hasMessageStartingWith("lake none: not provisioned");
    assertThatThrownBy(
            () ->
                state.provisioning.put(
                    new Provisioning.Source(new SourceRef(9, "x"), "Postgres", "", "t", null)))
        .hasMessageStartingWith("team 9: not provisioned");
  }

  @Test
  void checkResultsAreStoredWithTheAttemptAndTheLastRunCounts() {
    AttemptKey attempt = key(state.jobs.open(opening(trigger(1), START, "run-1")));
    CheckResult failed =
        new CheckResult("row_count", false, "9", "10", 0, "rows landed vs. source", null, null);
    CheckResult passed =
        new CheckResult("row_count", true, "10", "10", 0.5, "rows landed vs. source", null, null);
    CheckResult unknown =
        new CheckResult("null_count.a", false, null, null, 0, "nulls", "SELECT 1", "no answer");
    state.checks.store(attempt, List.of(failed, unknown));
    state.checks.store(attempt, List.of(passed));

    assertThat(state.checks.of(attempt)).containsExactly(unknown, passed);
  }
}
