package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.worker.demo.Demo;
import dev.sluice.worker.demo.DemoReport;
import dev.sluice.worker.demo.PublishedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The demo on the shared flights data: registered are two generations of flights and one of four
 * other tables, copied beside them are their Delta tables, flights in four versions.
 */
class NycFlightsDemoTest {

  private static final String SCHEMA = "insights_data_imports_team_1";
  private static final String FLIGHTS = SCHEMA + ".nycflights_flights";
  private static final String COPY_SCHEMA = "insights_data_imports_team_2";
  private static final String COPIED = COPY_SCHEMA + ".nycflights_flights";
  private static final List<Long> VERSIONS = List.of(166_158L, 336_776L, 336_255L, 337_031L);

  private static Demo demo;
  private static DemoReport report;
  private static JsonNode facts;

  @BeforeAll
  static void importEverything() throws IOException {
    Path data = shared().resolve("data/nycflights");
    assumeThat(data.resolve("source")).as("the shared flights data is not here").isDirectory();
    facts = new ObjectMapper().readTree(Files.readString(data.resolve("facts.json"))).path("facts");
    demo = Demo.start(data.resolve("source"), null, line -> {});
    report = demo.run();
  }

  @AfterAll
  static void stop() {
    if (demo != null) {
      demo.close();
    }
  }

  @Test
  void bothGenerationsOfFlightsAndTheOtherTablesArePublished() {
    assertThat(report.allPublished()).isTrue();
    assertThat(report.tables())
        .extracting(each -> each.path() + " " + each.schema())
        .containsOnly("register " + SCHEMA, "copy " + COPY_SCHEMA)
        .hasSize(10);
    assertThat(flights().rows())
        .isEqualTo(prepared("flights__query_1785451919_9c1f0b7e"))
        .isEqualTo(336_776);
    assertThat(flights().earlier()).hasSize(1);
    assertThat(first().rows()).isEqualTo(166_158);
    for (String other : new String[] {"weather", "planes", "airports", "airlines"}) {
      assertThat(table(SCHEMA, "nycflights_" + other).rows())
          .as(other)
          .isEqualTo(facts.path(other).path("prepared").asLong());
    }
  }

  @Test
  void everyVersionOfTheDeltaTableIsCopiedBesideTheRegisteredOne() {
    PublishedTable copied = table(COPY_SCHEMA, "nycflights_flights");
    List<PublishedTable> versions = new ArrayList<>(copied.earlier());
    versions.add(copied);

    assertThat(versions)
        .extracting(PublishedTable::generation)
        .containsExactly("v0", "v1", "v2", "v3");
    assertThat(versions).extracting(PublishedTable::rows).isEqualTo(VERSIONS);
    String config = demo.stack().configurationFile().toString();
    for (PublishedTable version : versions) {
      CliRun rows =
          CliRun.of(
              "scan",
              COPIED,
              "--at",
              String.valueOf(version.snapshot()),
              "--count",
              "--config",
              config);
      assertThat(rows.out().strip()).isEqualTo(String.valueOf(version.rows()));
    }
    for (String other : new String[] {"weather", "planes", "airports", "airlines"}) {
      assertThat(table(COPY_SCHEMA, "nycflights_" + other).rows())
          .as(other)
          .isEqualTo(table(SCHEMA, "nycflights_" + other).rows());
    }
  }

  @Test
  void ourScanCountsBothGenerationsUnderOneTableId() {
    String config = demo.stack().configurationFile().toString();
    CliRun now = CliRun.of("scan", FLIGHTS, "--count", "--config", config);
    CliRun before =
        CliRun.of(
            "scan", FLIGHTS, "--at", Long.toString(firstSnapshot()), "--count", "--config", config);
    CliRun nulls =
        CliRun.of("scan", FLIGHTS, "--where", "arr_delay is null", "--count", "--config", config);

    assertThat(now.out().strip()).isEqualTo("336776");
    assertThat(before.out().strip()).isEqualTo("166158");
    assertThat(nulls.out().strip())
        .isEqualTo(facts.path("sums").path("flights.arr_delay nulls").asText());
    CatalogReader reader = demo.stack().connections().require("main").catalog().reader();
    TableName name = new TableName(SCHEMA, "nycflights_flights");
    assertThat(reader.view(reader.snapshot(firstSnapshot())).table(name).id())
        .isEqualTo(reader.view(reader.latest()).table(name).id());
    assertThat(reader.view(reader.latest()).table(name).columns())
        .extracting(column -> column.name())
        .contains("_ph_partition_key");
  }

  @Test
  void duckDbSeesTheSameRowsSumsAndNulls() throws SQLException {
    DuckDbReferee.assumeAvailable();
    try (DuckLakeSession duckDb = DuckLakeSession.open()) {
      for (String statement : report.attach()) {
        if (!statement.startsWith("INSTALL")) {
          duckDb.execute(statement);
        }
      }
      JsonNode sums = facts.path("sums");

      assertThat(
              duckDb.queryText(
                  "SELECT count(*), sum(distance)::BIGINT, sum(air_time)::BIGINT,"
                      + " count(*) - count(arr_delay), count(_ph_partition_key) FROM "
                      + FLIGHTS))
          .containsExactly(
              List.of(
                  "336776",
                  sums.path("flights.distance").asText(),
                  sums.path("flights.air_time").asText(),
                  sums.path("flights.arr_delay nulls").asText(),
                  "336776"));
      assertThat(
              duckDb.valueText(
                  "SELECT count(*) FROM " + FLIGHTS + " AT (VERSION => " + firstSnapshot() + ")"))
          .isEqualTo("166158");
      assertThat(
              duckDb.queryText(
                  "SELECT count(*), min(typeof(year)), min(typeof(month)), max(month) FROM "
                      + COPIED
                      + " WHERE year = 2013"))
          .containsExactly(List.of("337031", "INTEGER", "INTEGER", "12"));
      assertThat(
              duckDb.valueText(
                  "SELECT round(sum(precip), 2) FROM " + SCHEMA + ".nycflights_weather"))
          .isEqualTo("116.71");
    }
  }

  private static PublishedTable flights() {
    return table(SCHEMA, "nycflights_flights");
  }

  private static PublishedTable first() {
    return flights().earlier().get(0);
  }

  private static long firstSnapshot() {
    return Objects.requireNonNull(first().snapshot(), "snapshot of the first generation");
  }

  private static PublishedTable table(String schema, String name) {
    return report.tables().stream()
        .filter(each -> schema.equals(each.schema()) && each.table().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static long prepared(String folder) {
    return facts.path("flights prepared").path(folder).asLong();
  }

  private static Path shared() {
    String named = System.getenv("SLUICE_SHARED");
    return named == null
        ? Path.of("").toAbsolutePath().resolve("../../shared").normalize()
        : Path.of(named);
  }
}
