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
    assertThat(document.path("tables")).hasSize(4);
    for (JsonNode table : document.path("tables")) {
      boolean copied = table.path("table").asText().equals("zendesk_tickets");
      assertThat(table.path("schema").asText())
          .isEqualTo("insights_data_imports_team_" + (copied ? 2 : 1));
      assertThat(table.path("table").asText()).startsWith(copied ? "zendesk_" : "stripe_");
      assertThat(table.path("status").asText()).isEqualTo("completed");
      assertThat(table.path("rows").asLong()).isPositive();
      assertThat(table.path("files").asLong()).isPositive();
      assertThat(table.path("bytes").asLong()).isPositive();
      assertThat(table.path("snapshot").asLong()).isPositive();
      assertThat(table.path("generation").asText())
          .matches(copied ? "v1" : "[0-9]{10}_[0-9a-f]{8}");
    }
    assertThat(document.path("attach").toString()).contains("ATTACH 'ducklake:postgres:");
  }
}
