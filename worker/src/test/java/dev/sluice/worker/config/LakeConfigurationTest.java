package dev.sluice.worker.config;

import static dev.sluice.worker.config.Configurations.assertRefused;
import static dev.sluice.worker.config.Configurations.development;
import static dev.sluice.worker.config.Configurations.production;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.storage.S3Credentials;
import dev.sluice.activities.storage.S3Settings.Addressing;
import dev.sluice.activities.storage.Secret;
import dev.sluice.activities.storage.StorageLocation;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The home database and lakes; three tests per section: defaults, every key explicit, a misspelt
 * key.
 */
class LakeConfigurationTest {
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
}
