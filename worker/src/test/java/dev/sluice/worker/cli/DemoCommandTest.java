package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** {@code demo --json} from its start to its end. */
class DemoCommandTest {

  @Test
  void theDocumentTellsOfEveryTableAndHowToAttach() throws IOException {
    CliRun run = CliRun.of("demo", "--json");

    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode document = new ObjectMapper().readTree(run.out());
    assertThat(document.path("tables"))
        .extracting(table -> table.path("schema").asText() + "." + table.path("table").asText())
        .containsExactlyInAnyOrder(
            "insights_data_imports_team_1.stripe_customers",
            "insights_data_imports_team_1.stripe_invoices",
            "insights_data_imports_team_1.stripe_subscriptions",
            "insights_data_imports_team_2.zendesk_tickets",
            "insights_data_modeling_team_2.tickets_by_channel");
    for (JsonNode table : document.path("tables")) {
      boolean registered = table.path("schema").asText().endsWith("_1");
      assertThat(table.path("status").asText()).isEqualTo("completed");
      assertThat(table.path("rows").asLong()).isPositive();
      assertThat(table.path("files").asLong()).isPositive();
      assertThat(table.path("bytes").asLong()).isPositive();
      assertThat(table.path("snapshot").asLong()).isPositive();
      assertThat(table.path("generation").asText())
          .matches(registered ? "[0-9]{10}_[0-9a-f]{8}" : "v[01]");
    }
    assertThat(document.path("attach").toString()).contains("ATTACH 'ducklake:postgres:");
  }
}
