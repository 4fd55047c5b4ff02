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
  void settingsOfATeamMayChangeUntilAnAttemptHasATarget() {
    state.provision();
    state.names.assign(SOURCE, new Target("main", "insights_data_imports_team_2", "a"), "copy_v1");
    Provisioning.Team other =
        new Provisioning.Team(2, "main", "copy_v2", "elsewhere", "insights_data_modeling_team_2");
    state.provisioning.put(other);

    assertThat(state.provisioning.findTeam(2)).contains(other);
    assertThat(state.names.find(SOURCE)).isEmpty();
  }

  @Test
  void settingsThatDataWasWrittenUnderAreKeptAndTheRemedyIsNamed() {
    state.provision();
    AttemptKey attempt = key(state.jobs.open(opening(trigger(1), START, "run-1")));
    state.jobs.noteTarget(attempt, "main", "insights_data_imports_team_2", "postgres_prod_flights");
    Provisioning.Team before = state.provisioning.requireTeam(2);

    assertThatThrownBy(
            () ->
                state.provisioning.put(
                    new Provisioning.Team(
                        2, "main", "legacy_batch_v1", "elsewhere", before.modelingSchema())))
        .hasMessage(
            "team 2: the configuration is not what its tables were written under; teams.2.naming is"
                + " legacy_batch_v1 and was copy_v1, teams.2.imports-schema is elsewhere and was"
                + " insights_data_imports_team_2; set teams.2.naming: copy_v1 and"
                + " teams.2.imports-schema: insights_data_imports_team_2, or rename the team's"
                + " tables: ./sluice rename-tables --team 2 --to-policy legacy_batch_v1")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.FIXED_SETTING, StateException::kind)
        .returns(false, StateException::retryable)
        .returns(false, StateException::conflict);
    state.provisioning.put(before);
    assertThat(state.provisioning.findTeam(2)).contains(before);
  }

  @Test
  void aModelIsASourceOfItsOwnKind() {
    state.provision();
    Provisioning.Source model =
        new Provisioning.Source(
            new SourceRef(2, "query-1"),
            Provisioning.SourceKind.MODEL,
            "",
            "daily_revenue",
            "Daily revenue",
            null);
    state.provisioning.put(model);

    assertThat(state.provisioning.findSource(model.ref())).contains(model);
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
    assertThat(state.checks.of(attempt)).containsExactly(unknown, failed);

    state.checks.store(attempt, List.of(passed));
    assertThat(state.checks.of(attempt)).containsExactly(passed);
  }
}
