package dev.sluice.worker.config;

import static dev.sluice.worker.config.Configurations.assertRefused;
import static dev.sluice.worker.config.Configurations.development;
import static dev.sluice.worker.config.Configurations.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.landing.DeletedRows;
import dev.sluice.activities.parquet.MatchOptions.ExtraColumns;
import dev.sluice.activities.parquet.MatchOptions.MissingColumns;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.workflows.naming.NamingPolicy;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Teams, sources and sets of options; three tests per section: defaults, every key explicit, a
 * misspelt key.
 */
class SourceConfigurationTest {
  @Nested
  class OfTeams {
    @Test
    void namesComeFromTheNamingByDefault() {
      assertThat(development("teams: {2: {}}").teams())
          .containsExactly(
              Map.entry(
                  2L,
                  new TeamSettings(
                      2,
                      "main",
                      NamingPolicy.COPY_V1,
                      "insights_data_imports_team_2",
                      "insights_data_modeling_team_2")));
    }

    @Test
    void everyKeyCanBeSet() {
      assertThat(
              development(
                      """
                      lakes: {main: {}, b: {database: {host: h, password: p}, storage: {data-path: 's3://bbb/'}}}
                      teams: {7: {lake: b, naming: legacy_batch_v1, imports-schema: i, modeling-schema: m}}
                      """)
                  .team(7L))
          .isEqualTo(new TeamSettings(7, "b", NamingPolicy.LEGACY_BATCH_V1, "i", "m"));
    }

    @Test
    void aMisspeltKeyIsNamedWithTheNearest() {
      assertRefused(
          "teams: {2: {import-schema: x}}",
          "configuration: unknown key teams.2.import-schema; no section has it; did you mean"
              + " teams.2.imports-schema?");
    }

    @Test
    void anUnknownLakeIsNamed() {
      assertRefused(
          "teams: {2: {lake: other}}",
          "configuration: key teams.2.lake names lake other; section lakes has main; add the lake"
              + " or correct the name");
    }
  }

  @Nested
  class OfSources {
    private static final String FLIGHTS =
        "teams: {2: {}}\nsources: {flights: {team: 2, id: s-1, type: Postgres, table: flights}}\n";

    @Test
    void optionsHaveDefaults() {
      Configuration read = development(FLIGHTS);
      assertThat(read.source("flights"))
          .isEqualTo(
              new SourceSettings(
                  "flights",
                  new SourceRef(2, "s-1"),
                  "Postgres",
                  "",
                  "flights",
                  null,
                  SourceOptions.DEFAULTS));
      assertThat(read.target(read.source("flights")))
          .hasToString("lake main, table insights_data_imports_team_2.postgres_flights");
    }

    @Test
    void everyKeyCanBeSet() {
      Configuration read =
          development(
              """
              teams: {2: {}}
              sources:
                flights:
                  team: 2
                  id: s-1
                  type: Postgres
                  prefix: prod
                  table: flights
                  folder: s3://upstream/flights
                  missing-columns: read-as-default
                  extra-columns: ignore
                  schema-policy: add-only
                  foreign-content: replace
                  deleted-rows: remove
              """);
      SourceOptions options =
          new SourceOptions(
              MissingColumns.READ_AS_DEFAULT,
              ExtraColumns.IGNORE,
              SchemaPolicy.ADD_ONLY,
              ForeignContent.REPLACE,
              DeletedRows.REMOVE);
      assertThat(read.source("flights"))
          .isEqualTo(
              new SourceSettings(
                  "flights",
                  new SourceRef(2, "s-1"),
                  "Postgres",
                  "prod",
                  "flights",
                  "s3://upstream/flights",
                  options));
      assertThat(read.optionsOf(trigger(null))).isEqualTo(options);
    }

    @Test
    void aMisspeltKeyIsNamedWithTheNearest() {
      assertRefused(
          FLIGHTS.replace("type:", "typ: x, type:"),
          "configuration: unknown key sources.flights.typ; no section has it; did you mean"
              + " sources.flights.type?");
    }

    @Test
    void twoOwnersOfATableAreRefusedNamingBoth() {
      assertRefused(
          """
          teams: {2: {}}
          sources:
            first: {team: 2, id: s-1, type: Stripe, prefix: eu_prod, table: invoices}
            second: {team: 2, id: s-2, type: Stripe, prefix: eu, table: prod_invoices}
          """,
          "configuration: table insights_data_imports_team_2.stripe_eu_prod_invoices has two"
              + " owners; sources.first and sources.second get the same name; give one of the two"
              + " another prefix or table");
    }

    @Test
    void aSourceIsConfiguredOnceAndInAKnownTeam() {
      assertRefused(
          "sources: {a: {team: 3, id: s-1, type: T, table: t}}",
          "configuration: key sources.a.team names team 3; section teams has no such team; add the"
              + " team or correct the number");
      assertRefused(
          """
          teams: {2: {}}
          sources: {a: {team: 2, id: s, type: T, table: t}, b: {team: 2, id: s, type: T, table: u}}
          """,
          "configuration: team 2, source s is configured twice; sources.a and sources.b have the"
              + " same team and id; remove one");
    }
  }

  @Nested
  class OfOptions {
    @Test
    void aSetHasDefaults() {
      assertThat(development("options: {plain: {}}").optionsOf(trigger("plain")))
          .isEqualTo(SourceOptions.DEFAULTS);
    }

    @Test
    void everyKeyCanBeSet() {
      Configuration read =
          development(
              """
              options:
                lenient:
                  missing-columns: read-as-default
                  extra-columns: ignore
                  schema-policy: fail
                  foreign-content: replace
                  deleted-rows: remove
              """);
      assertThat(read.optionsOf(trigger("lenient")))
          .isEqualTo(
              new SourceOptions(
                  MissingColumns.READ_AS_DEFAULT,
                  ExtraColumns.IGNORE,
                  SchemaPolicy.FAIL,
                  ForeignContent.REPLACE,
                  DeletedRows.REMOVE));
    }

    @Test
    void aMisspeltKeyOrNameIsRefused() {
      assertRefused(
          "options: {a: {extra-column: ignore}}",
          "configuration: unknown key options.a.extra-column; no section has it; did you mean"
              + " options.a.extra-columns?");
      assertThatThrownBy(() -> development("").optionsOf(trigger("x")))
          .hasMessage(
              "configuration: a trigger asks for options x; section options has none; add them or"
                  + " correct the trigger");
    }
  }
}
