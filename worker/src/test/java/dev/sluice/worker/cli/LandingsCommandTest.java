package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.SamplePrepared;
import dev.sluice.worker.demo.Demo;
import dev.sluice.worker.wiring.Connections;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looking for what nobody published, and removing it, as an operator does it. */
class LandingsCommandTest {

  private static final String IMPORTS =
      "insights_data_imports_team_1/stripe_invoices/_imports/some-source/";
  private static final String OLD = IMPORTS + "job-1/1/";
  private static final String YOUNG = IMPORTS + "job-2/2/";

  private Demo demo;
  private ObjectStore lake;
  private String lakeName;
  private Path kept;

  @BeforeEach
  void importOneGeneration(@TempDir Path sources, @TempDir Path folder) throws SQLException {
    try (DuckLakeSession session = DuckLakeSession.open(List.of())) {
      SamplePrepared.inFolder(session, sources).writeFirstGeneration();
    }
    kept = folder;
    demo = Demo.start(sources, folder, line -> {});
    assertThat(demo.run().allPublished()).isTrue();
    Connections connections = demo.stack().connections();
    lakeName = connections.configuration().lakes().keySet().iterator().next();
    lake = connections.require(lakeName).store();
  }

  @AfterEach
  void stop() {
    demo.close();
  }

  @Test
  void whatNobodyPublishedIsListedAndOnDemandRemoved() throws IOException {
    List<String> published = objects();
    age();
    CliRun nothing = run();
    assertThat(nothing.exitCode()).as(nothing.err()).isZero();
    assertThat(nothing.out())
        .as("published objects are old now, and are not listed")
        .contains("Every landed object is published, in use or young.");
    assertThat(json().get("landings")).isEmpty();

    lake.put(OLD + "a.parquet", new byte[] {1, 2, 3});
    lake.put(OLD + "p=x/b.parquet", new byte[] {4, 5});
    age();
    lake.put(YOUNG + "a.parquet", new byte[] {6});
    CliRun dry = run();
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out())
        .contains(OLD, "unknown", "removable", "not known to the ledger")
        .contains("Dry run: nothing was removed; --delete removes what is called removable.")
        .doesNotContain(YOUNG);
    JsonNode listed = json();
    assertThat(listed.get("dryRun").asBoolean()).isTrue();
    assertThat(listed.get("olderThanHours").asLong()).isEqualTo(Duration.ofDays(7).toHours());
    assertThat(listed.get("landings")).hasSize(1);
    JsonNode landing = listed.get("landings").get(0);
    assertThat(landing.get("lake").asText()).isEqualTo(lakeName);
    assertThat(landing.get("landing").asText()).isEqualTo(OLD);
    assertThat(landing.get("table").asText()).isEqualTo("stripe_invoices");
    assertThat(landing.get("objects").asInt()).isEqualTo(2);
    assertThat(landing.get("bytes").asInt()).isEqualTo(5);
    assertThat(landing.get("verdict").asText()).isEqualTo("removable");
    assertThat(landing.has("removed")).isFalse();
    assertThat(objects()).as("a dry run removes nothing").hasSize(published.size() + 3);

    JsonNode removed = json("--delete", "--older-than", "96h");

    assertThat(removed.get("dryRun").asBoolean()).isFalse();
    assertThat(removed.get("landings")).hasSize(1);
    assertThat(removed.get("landings").get(0).get("removed").asInt()).isEqualTo(2);
    assertThat(removed.get("landings").get(0).get("failures")).isEmpty();
    List<String> left = new ArrayList<>(published);
    left.add(YOUNG + "a.parquet");
    assertThat(objects()).containsExactlyInAnyOrderElementsOf(left);
    assertThat(run("--delete").out()).contains("Every landed object is published");
  }

  @Test
  void anAgeBelowTheLongestAttemptIsAMistakeInUsage() {
    CliRun run = run("--older-than", "2d", "--delete");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE.code());
    assertThat(run.err())
        .contains("--older-than takes days or hours, at least 3d")
        .contains("got '2d'");
  }

  private CliRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("landings"));
    all.addAll(List.of(arguments));
    all.add("--config");
    all.add(demo.stack().configurationFile().toString());
    return CliRun.of(all.toArray(String[]::new));
  }

  private JsonNode json(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    CliRun run = run(all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private List<String> objects() {
    try (Stream<ObjectInfo> listed = lake.list("")) {
      return listed.map(ObjectInfo::key).toList();
    }
  }

  /** Makes every object that the endpoint holds a month old. */
  private void age() throws IOException {
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(30)));
    try (Stream<Path> files = Files.walk(kept.resolve("s3"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.setLastModifiedTime(file, old);
      }
    }
  }
}
