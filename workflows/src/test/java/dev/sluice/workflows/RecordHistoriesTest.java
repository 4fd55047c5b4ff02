package dev.sluice.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Stores the histories that {@link ReplayTest} replays; runs only when it is asked to, with {@code
 * -Dsluice.histories=src/test/resources/histories}. To be done when a workflow changes on purpose:
 * what is stored is the contract of the runs in flight.
 */
@EnabledIfSystemProperty(
    named = RecordHistoriesTest.FOLDER,
    matches = ".+",
    disabledReason = "histories are stored only on purpose")
class RecordHistoriesTest {
  static final String FOLDER = "sluice.histories";

  @Test
  void everyScenarioIsStored() throws IOException, InterruptedException {
    Path folder = Path.of(System.getProperty(FOLDER, ""));
    for (Map.Entry<String, StoredHistories.Scenario> scenario :
        StoredHistories.scenarios().entrySet()) {
      String history = StoredHistories.record(scenario.getValue()).toJson(true);
      Files.writeString(folder.resolve(scenario.getKey() + ".json"), history + "\n");
      assertThat(history).contains("WORKFLOW_EXECUTION_STARTED");
    }
  }
}
