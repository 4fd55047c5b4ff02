package dev.sluice.activities.jobs;

import static dev.sluice.activities.jobs.StateFixture.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TableNamesTest {
  private static final Target TARGET = new Target("main", "imports", "stripe_eu_prod_invoices");
  private static final SourceRef OTHER = new SourceRef(2, "other-source");

  private final StateFixture state = new StateFixture();

  @AfterEach
  void close() {
    state.close();
  }

  @Test
  void claimingTwiceIsHarmlessAndKeepsTheNamingVersion() {
    TableNames.Assigned first = state.names.claim(SOURCE, TARGET, "copy_v1");
    assertThat(state.names.claim(SOURCE, TARGET, "legacy_batch_v1")).isEqualTo(first);
    assertThat(state.names.find(SOURCE)).contains(first);
    assertThat(state.names.findOwner(TARGET)).contains(first);
    assertThat(first.namingVersion()).isEqualTo("copy_v1");
  }

  @Test
  void aSecondOwnerIsRefusedNamingBoth() {
    state.names.claim(SOURCE, TARGET, "copy_v1");

    assertThatThrownBy(() -> state.names.claim(OTHER, TARGET, "copy_v1"))
        .hasMessage(
            "lake main, table imports.stripe_eu_prod_invoices: the name belongs to another source;"
                + " it was assigned to team 2, source "
                + StateFixture.SOURCE_ID
                + " and is now claimed by team 2, source other-source; give one of the two another"
                + " prefix or table name")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.NAME_TAKEN, StateException::kind)
        .returns(true, StateException::conflict)
        .returns(false, StateException::retryable);
    assertThat(state.names.find(OTHER)).isEmpty();
  }

  @Test
  void aSourceCannotMoveToAnotherNameUnnoticed() {
    state.names.claim(SOURCE, TARGET, "copy_v1");

    assertThatThrownBy(
            () -> state.names.claim(SOURCE, new Target("main", "imports", "else"), "copy_v1"))
        .hasMessageContaining(
            "the source already has a table; it is imports.stripe_eu_prod_invoices")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.NAME_TAKEN, StateException::kind);
  }

  @Test
  void namesThatDifferInCaseAloneAreOneAsInDuckDb() {
    state.names.claim(SOURCE, TARGET, "copy_v1");

    assertThatThrownBy(
            () ->
                state.names.claim(
                    OTHER, new Target("main", "Imports", "Stripe_EU_prod_invoices"), "copy_v1"))
        .hasMessageContaining("the name belongs to another source; it was assigned to team 2")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.NAME_TAKEN, StateException::kind);
    state.names.claim(OTHER, new Target("main", "imports", "Stripe_Ä"), "copy_v1");
    SourceRef third = new SourceRef(2, "third-source");
    state.names.claim(third, new Target("main", "imports", "stripe_ä"), "copy_v1");
    assertThat(state.names.find(third)).isPresent();
  }

  @Test
  void aNameOfAPolicyThatTheTeamNoLongerHasIsNotClaimed() {
    state.provision();

    assertThatThrownBy(() -> state.names.claim(SOURCE, TARGET, "copy_v2"))
        .hasMessageContaining("its tables were renamed just now; they have the names of copy_v1")
        .asInstanceOf(type(StateException.class))
        .returns(true, StateException::retryable);
    assertThat(state.names.find(SOURCE)).isEmpty();
  }

  @Test
  void theSameNameInAnotherLakeIsAnotherName() {
    state.names.claim(SOURCE, TARGET, "copy_v1");
    state.names.claim(OTHER, new Target("second", TARGET.schema(), TARGET.table()), "copy_v1");

    assertThat(state.names.owners(TARGET.schema(), TARGET.table()))
        .extracting(TableNames.Assigned::source)
        .containsExactly(SOURCE, OTHER);
  }
}
