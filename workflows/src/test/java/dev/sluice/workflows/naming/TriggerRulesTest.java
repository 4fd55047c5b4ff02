package dev.sluice.workflows.naming;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.workflows.RegisterTrigger;
import org.junit.jupiter.api.Test;

class TriggerRulesTest {

  private static final String ID = "0198f2d0-1111-7000-8000-000000000001";
  private static final ProducerOrder NEWEST = ProducerOrder.NEWEST_DELTA_VERSION;

  @Test
  void theNewestVersionCanBeAskedForWhereThereAreVersions() {
    RegisterTrigger copy =
        RegisterTrigger.copy(2, "job", ID, "Stripe", null, "invoices", NEWEST, null, null);
    RegisterTrigger model =
        RegisterTrigger.model(
            2, "job", ID, "revenue", "Revenue", "s3://models/revenue", NEWEST, null, null);

    assertThatCode(() -> TriggerRules.require(copy)).doesNotThrowAnyException();
    assertThatCode(() -> TriggerRules.require(model)).doesNotThrowAnyException();
  }

  @Test
  void aRegistrationNamesItsGeneration() {
    RegisterTrigger registration =
        new RegisterTrigger(
            2, "job", ID, "Stripe", null, "invoices", "invoices__query_100", NEWEST, null, null);

    assertThatThrownBy(() -> TriggerRules.require(registration))
        .hasMessageContaining("the producer order delta_version:newest is absurd");
  }
}
