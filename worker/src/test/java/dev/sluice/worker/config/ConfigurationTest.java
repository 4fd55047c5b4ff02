package dev.sluice.worker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.parquet.MatchOptions.ExtraColumns;
import dev.sluice.activities.parquet.MatchOptions.MissingColumns;
import dev.sluice.activities.storage.S3Credentials;
import dev.sluice.activities.storage.S3Settings.Addressing;
import dev.sluice.activities.storage.Secret;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.NamingPolicy;
import dev.sluice.workflows.naming.ProducerOrder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three tests per section: defaults, every key explicit, a misspelt key. */
class ConfigurationTest {
  private static final String DEVELOPMENT = "mode: development\n";

  @Nested
  class OfTheHomeDatabase {
    @Test
    void itIsTheLakesDatabaseByDefault() {
      Configuration read = development("");
      assertThat(read.home()).isEqualTo(read.lake("main").database());
    }

    @Test
    void everyKeyCanBeSet() {
      Configuration read =
          development(
              """
              home:
                database:
                  host: db.example
                  port: 6432
                  name: sluice
                  user: worker
                  password: "p w"
                  ssl-mode: verify-full
                  pool-size: 3
              """);
      assertThat(read.home())
          .isEqualTo(
              new DatabaseSettings(
                  "db.example",
                  6432,
                  "sluice",
                  "worker",
                  Secret.of("p w"),
                  DatabaseSettings.SslMode.VERIFY_FULL,
                  3));
      assertThat(read.home().jdbcUrl())
          .isEqualTo(
              "jdbc:postgresql://db.example:6432/sluice?prepareThreshold=0&sslmode=verify-full"
                  + "&ApplicationName=sluice");
    }

    @Test
    void anAddressCanBeGivenAsOneUrl() {
      assertThat(
              development("home: {database: {url: 'jdbc:postgresql://db:7/x'}}").home().address())
          .isEqualTo("db:7/x");
      assertRefused(
          "home: {database: {url: 'postgresql://db/x', host: y}}",
          "configuration: keys home.database.url and home.database.host exclude each other; both"
              + " say the same thing; remove one");
      assertRefused(
          "home: {database: {url: 'postgresql://me:secret@db/x'}}",
          "configuration: key home.database.url has a wrong value; required is"
              + " postgresql://host:port/database without user, password and parameters, got"
              + " something else; correct it");
    }

    @Test
    void aMisspeltKeyIsNamedWithTheNearest() {
      assertRefused(
          "home: {database: {pasword: x}}",
          "configuration: unknown key home.database.pasword; no section has it; did you mean"
              + " home.database.password?");
    }
  }

  @Nested
  class OfLakes {
    @Test
    void developmentHasTheDefaultsOfOneLake() {
      LakeSettings main = development("").lake("main");
      assertThat(main.database())
          .isEqualTo(
              new DatabaseSettings(
                  "localhost",
                  5432,
                  "ducklake",
                  "insights",
                  Secret.of("insights"),
                  DatabaseSettings.SslMode.PREFER,
                  10));
      assertThat(main.metadataSchema()).isEqualTo("public");
      assertThat(main.storage())
          .isEqualTo(
              new StorageSettings(
                  StorageLocation.parse("s3://ducklake-dev/"),
                  "us-east-1",
                  URI.create("http://localhost:19000"),
                  Addressing.PATH,
                  new S3Credentials.Fixed("insights", Secret.of("insights"))));
    }

    @Test
    void everyKeyCanBeSet() {
      LakeSettings lake =
          production(
                  """
                  lakes:
                    warehouse:
                      metadata-schema: lake_a
                      database: {host: h, port: 1, name: n, user: u, password: p, ssl-mode: require, pool-size: 2}
                      storage:
                        data-path: s3://bucket/prefix
                        region: eu-west-1
                        endpoint: https://s3.example:9000
                        addressing: virtual-host
                        credentials:
                          type: assumed-role
                          access-key: ak
                          secret-key: sk
                          session-token: st
                          role-arn: arn:aws:iam::1:role/x
                          session-name: me
                          external-id: ext
                          session-duration: PT2H
                          sts-endpoint: https://sts.example
                  """)
              .lake("warehouse");
      assertThat(lake)
          .isEqualTo(
              new LakeSettings(
                  "warehouse",
                  new DatabaseSettings(
                      "h", 1, "n", "u", Secret.of("p"), DatabaseSettings.SslMode.REQUIRE, 2),
                  "lake_a",
                  new StorageSettings(
                      StorageLocation.parse("s3://bucket/prefix/"),
                      "eu-west-1",
                      URI.create("https://s3.example:9000"),
                      Addressing.VIRTUAL_HOST,
                      new S3Credentials.AssumedRole(
                          new S3Credentials.Fixed("ak", Secret.of("sk"), Secret.of("st")),
                          "arn:aws:iam::1:role/x",
                          "me",
                          "ext",
                          Duration.ofHours(2),
                          URI.create("https://sts.example")))));
      assertThat(lake.storage().s3().region()).isEqualTo("eu-west-1");
    }

    @Test
    void aMisspeltKeyIsNamedWithTheNearest() {
      assertRefused(
          "lakes: {main: {storage: {data_path: 's3://b/'}}}",
          "configuration: unknown key lakes.main.storage.data_path; no section has it; did you mean"
              + " lakes.main.storage.data-path?");
    }

    @Test
    void twoLakesInOnePlaceAreRefused() {
      assertRefused(
          """
          lakes:
            a: {database: {host: h, password: p}, storage: {data-path: 's3://aaa/'}}
            b: {database: {host: h, password: p}, storage: {data-path: 's3://bbb/'}}
          """,
          "configuration: lakes.b has the catalog of lakes.a, h:5432/ducklake schema public; what"
              + " cleans one lake would destroy the other; give each its own");
      assertRefused(
          """
          lakes:
            a: {database: {host: h, password: p}, storage: {data-path: 's3://aaa/'}}
            b: {database: {host: i, password: p}, storage: {data-path: 's3://aaa/'}}
          """,
          "configuration: lakes.b has the data-path of lakes.a, s3://aaa/; what cleans one lake"
              + " would destroy the other; give each its own");
    }

    @Test
    void ducklakeVariablesWorkAsTheyAre() {
      LakeSettings main =
          Configuration.ofEnvironment(
                  Map.of(
                      "DUCKLAKE_RDS_HOST", "rds",
                      "DUCKLAKE_RDS_PORT", "6000",
                      "DUCKLAKE_RDS_DATABASE", "lake",
                      "DUCKLAKE_RDS_USERNAME", "posthog",
                      "DUCKLAKE_RDS_PASSWORD", "long-secret",
                      "DUCKLAKE_BUCKET", "bucket-1",
                      "CLOUD_DEPLOYMENT", "EU"))
              .lake("main");
      assertThat(main.database().address()).isEqualTo("rds:6000/lake");
      assertThat(main.database().user()).isEqualTo("posthog");
      assertThat(main.database().password().reveal()).isEqualTo("long-secret");
      assertThat(main.database().sslMode()).isEqualTo(DatabaseSettings.SslMode.REQUIRE);
      assertThat(main.storage().dataPath().uri()).isEqualTo("s3://bucket-1/");
      assertThat(main.storage().region()).isEqualTo("eu-central-1");
      assertThat(main.storage().credentials()).isEqualTo(new S3Credentials.Ambient());
      assertThat(main.storage().endpoint()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
      "DUCKLAKE_RDS_HOST, lakes.main.database.host, SLUICE_LAKES_MAIN_DATABASE_HOST",
      "DUCKLAKE_RDS_PASSWORD, lakes.main.database.password, SLUICE_LAKES_MAIN_DATABASE_PASSWORD",
      "DUCKLAKE_BUCKET, lakes.main.storage.data-path, SLUICE_LAKES_MAIN_STORAGE_DATA_PATH"
    })
    void outsideDevelopmentAMissingOrEmptyVariableIsNamed(String variable, String key, String own) {
      Map<String, String> environment =
          new HashMap<>(
              Map.of(
                  "DUCKLAKE_RDS_HOST", "h",
                  "DUCKLAKE_RDS_PASSWORD", "p",
                  "DUCKLAKE_BUCKET", "bucket-1"));
      environment.put(variable, "");
      assertThatThrownBy(() -> Configuration.ofEnvironment(environment))
          .isInstanceOf(ConfigurationException.class)
          .hasMessage(
              "configuration: key "
                  + key
                  + " is missing; it has no default here; set it in the file or as "
                  + variable
                  + " or "
                  + own);
    }

    @Test
    void outsideDevelopmentConnectionsAreEncrypted() {
      assertThatThrownBy(() -> production("lakes: {main: {database: {ssl-mode: disable}}}").mode())
          .hasMessage(
              "configuration: key lakes.main.database.ssl-mode is disable; outside development"
                  + " connections are encrypted; use require, verify-ca or verify-full");
    }
  }

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
              """);
      SourceOptions options =
          new SourceOptions(
              MissingColumns.READ_AS_DEFAULT,
              ExtraColumns.IGNORE,
              SchemaPolicy.ADD_ONLY,
              ForeignContent.REPLACE);
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
              """);
      assertThat(read.optionsOf(trigger("lenient")))
          .isEqualTo(
              new SourceOptions(
                  MissingColumns.READ_AS_DEFAULT,
                  ExtraColumns.IGNORE,
                  SchemaPolicy.FAIL,
                  ForeignContent.REPLACE));
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

  @Nested
  class OfNaming {
    @Test
    void defaults() {
      assertThat(development("").naming())
          .isEqualTo(
              new NamingSettings(
                  NamingPolicy.COPY_V1,
                  "insights_data_imports_team_",
                  "insights_data_modeling_team_"));
    }

    @Test
    void everyKeyCanBeSet() {
      Configuration read =
          development(
              """
              naming: {policy: legacy_batch_v1, imports-prefix: imp_, modeling-prefix: mod_}
              teams: {2: {}}
              """);
      assertThat(read.team(2L))
          .isEqualTo(new TeamSettings(2, "main", NamingPolicy.LEGACY_BATCH_V1, "imp_2", "mod_2"));
    }

    @Test
    void aMisspeltKeyOrValueIsRefused() {
      assertRefused(
          "naming: {polcy: copy_v1}",
          "configuration: unknown key naming.polcy; no section has it; did you mean"
              + " naming.policy?");
      assertRefused(
          "naming: {policy: copy_v9}",
          "configuration: key naming.policy has a wrong value; required is copy_v1 or"
              + " legacy_batch_v1, got copy_v9; correct it");
    }
  }

  @Nested
  class OfTemporal {
    @Test
    void defaults() {
      assertThat(development("").temporal())
          .isEqualTo(
              new TemporalSettings(
                  "localhost:7233", "default", "sluice", TemporalSettings.Encryption.NONE));
    }

    @Test
    void everyKeyCanBeSet() {
      assertThat(
              development("temporal: {address: 't:1', namespace: n, queue: q, encryption: tls}")
                  .temporal())
          .isEqualTo(new TemporalSettings("t:1", "n", "q", TemporalSettings.Encryption.TLS));
    }

    @Test
    void aMisspeltKeyIsNamedWithTheNearest() {
      assertRefused(
          "temporal: {adress: x}",
          "configuration: unknown key temporal.adress; no section has it; did you mean"
              + " temporal.address?");
    }
  }

  @Nested
  class OfFlagsAndLogAndLimits {
    @Test
    void defaults() {
      Configuration read = development("");
      assertThat(read.flagsFile()).isNull();
      assertThat(read.log())
          .isEqualTo(new LogSettings(LogSettings.Level.INFO, LogSettings.Format.CONSOLE));
      assertThat(read.limits()).isEqualTo(new LimitSettings(16, 32, 32, 128));
      assertThat(read.reaper()).isEqualTo(new ReaperSettings(Duration.ofSeconds(20), 1000));
    }

    @Test
    void everyKeyCanBeSet() {
      Configuration read =
          development(
              """
              flags: {file: conf/flags.yaml}
              log: {level: debug, format: json}
              limits: {activities: 1, workflow-tasks: 2, copies: 3, footers: 4}
              reaper: {every: PT5S, asks: 50}
              """);
      assertThat(read.flagsFile()).isEqualTo(Path.of("conf/flags.yaml"));
      assertThat(read.log())
          .isEqualTo(new LogSettings(LogSettings.Level.DEBUG, LogSettings.Format.JSON));
      assertThat(read.limits()).isEqualTo(new LimitSettings(1, 2, 3, 4));
      assertThat(read.reaper()).isEqualTo(new ReaperSettings(Duration.ofSeconds(5), 50));
    }

    @Test
    void aMisspeltKeyOrValueIsRefused() {
      assertRefused(
          "flags: {files: x}",
          "configuration: unknown key flags.files; no section has it; did you mean flags.file?");
      assertRefused(
          "log: {levle: x}",
          "configuration: unknown key log.levle; no section has it; did you mean log.level?");
      assertRefused(
          "limits: {copy: 1}",
          "configuration: unknown key limits.copy; no section has it; did you mean"
              + " limits.copies?");
      assertRefused(
          "log: {level: loud}",
          "configuration: key log.level has a wrong value; required is one of trace, debug, info,"
              + " warn, error, got loud; correct it");
      assertRefused(
          "reaper: {every: PT31S}",
          "configuration: key reaper.every has a wrong value; required is a duration from PT1S to"
              + " PT30S, got PT31S; correct it");
      assertRefused(
          "reaper: {ask: 5}",
          "configuration: unknown key reaper.ask; no section has it; did you mean reaper.asks?");
      assertRefused(
          "limits: {copies: 0}",
          "configuration: key limits.copies has a wrong value; required is a whole number from 1,"
              + " got 0; correct it");
    }
  }

  @Test
  void anUnknownSectionIsNamedWithTheNearest() {
    assertRefused(
        "source: {}",
        "configuration: unknown key source; no section has it; did you mean sources?");
  }

  @Test
  void aVariableWinsOverTheFileAndAnEmptyOneDoesNot() {
    assertThat(
            read(
                    DEVELOPMENT + "temporal: {queue: file, namespace: file}",
                    Map.of("SLUICE_TEMPORAL_QUEUE", "variable", "SLUICE_TEMPORAL_NAMESPACE", ""))
                .temporal())
        .isEqualTo(
            new TemporalSettings(
                "localhost:7233", "file", "variable", TemporalSettings.Encryption.NONE));
    assertThat(
            read("", Map.of("SLUICE_MODE", "development", "SLUICE_LAKES_MAIN_DATABASE_HOST", "v"))
                .lake("main")
                .database()
                .host())
        .isEqualTo("v");
  }

  @Test
  void aMisspeltVariableIsNamedAndOthersAreLeftAlone() {
    assertThatThrownBy(() -> read(DEVELOPMENT, Map.of("SLUICE_TEMPORAL_QUEU", "x")))
        .hasMessage(
            "configuration: unknown environment variable SLUICE_TEMPORAL_QUEU; it stands for no"
                + " key; did you mean SLUICE_TEMPORAL_QUEUE?");
    assertThat(read(DEVELOPMENT, Map.of("SLUICE_SHARED", "x", "SLUICE_HOME", "y")).mode())
        .isEqualTo(Mode.DEVELOPMENT);
  }

  @Test
  void queryServerVariablesAreReportedAsUnused() {
    assertThat(
            read(
                    DEVELOPMENT,
                    Map.of("DUCKGRES_HOST", "x", "DUCKGRES_PORT", "1", "DUCKGRES_USER", ""))
                .unusedVariables())
        .containsExactly("DUCKGRES_HOST", "DUCKGRES_PORT");
  }

  @Test
  void noSecretIsInTheTextForm() {
    Configuration read =
        read(
            DEVELOPMENT
                + "lakes: {main: {storage: {credentials: {access-key: AK, secret-key: very-secret}},"
                + " database: {password: hidden-pw}}}",
            Map.of());
    assertThat(read.toString()).doesNotContain("very-secret").doesNotContain("hidden-pw");
    assertThat(read.secretsToRedact()).containsExactlyInAnyOrder("hidden-pw", "very-secret");
    assertThat(development("").secretsToRedact()).isEmpty();
  }

  @Test
  void aBrokenFileIsNamedWithoutItsText(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("sluice.yaml"), "home: {password: s3cret-x\n");
    assertThatThrownBy(() -> Configuration.read(file, Map.of()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(
            "configuration " + file + ": the file cannot be read; it is no YAML at line ")
        .satisfies(e -> assertThat(stack(e)).doesNotContain("s3cret-x"));
    assertThatThrownBy(() -> Configuration.read(folder.resolve("missing.yaml"), Map.of()))
        .hasMessageContaining("the file cannot be read");
  }

  private static String stack(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static void assertRefused(String yaml, String message) {
    assertThatThrownBy(() -> development(yaml))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(message);
  }

  private static RegisterTrigger trigger(@Nullable String options) {
    return new RegisterTrigger(
        2,
        "job",
        "s-1",
        "Postgres",
        null,
        "flights",
        "flights__query_1",
        ProducerOrder.ofFolder("flights__query_1"),
        null,
        options);
  }

  private static Configuration development(String yaml) {
    return read(DEVELOPMENT + yaml, Map.of());
  }

  private static Configuration production(String yaml) {
    return read(
        yaml,
        Map.of(
            "DUCKLAKE_RDS_HOST", "h", "DUCKLAKE_RDS_PASSWORD", "p", "DUCKLAKE_BUCKET", "bucket-1"));
  }

  private static Configuration read(String yaml, Map<String, String> environment) {
    try {
      return Configuration.parse(yaml, environment);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
