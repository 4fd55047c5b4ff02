package dev.sluice.worker.config;

import static dev.sluice.worker.config.Configurations.DEVELOPMENT;
import static dev.sluice.worker.config.Configurations.assertRefused;
import static dev.sluice.worker.config.Configurations.development;
import static dev.sluice.worker.config.Configurations.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.lake.WriteLimits;
import dev.sluice.workflows.naming.NamingPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The other sections, three tests each (defaults, every key explicit, a misspelt key), and the
 * whole.
 */
class ConfigurationTest {
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
          "configuration: key naming.policy has a wrong value; required is one of"
              + " copy_v1, legacy_batch_v1, copy_v2, got copy_v9; correct it");
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
      assertThat(read.limits()).isEqualTo(new LimitSettings(16, 32, 32, 192));
      assertThat(read.reaper()).isEqualTo(new ReaperSettings(Duration.ofSeconds(20), 1000));
      assertThat(read.writes()).isEqualTo(new WriteLimits(1L << 30, null));
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
              writes: {memory-mib: 3000, temporary-mib: 5}
              """);
      assertThat(read.flagsFile()).isEqualTo(Path.of("conf/flags.yaml"));
      assertThat(read.log())
          .isEqualTo(new LogSettings(LogSettings.Level.DEBUG, LogSettings.Format.JSON));
      assertThat(read.limits()).isEqualTo(new LimitSettings(1, 2, 3, 4));
      assertThat(read.reaper()).isEqualTo(new ReaperSettings(Duration.ofSeconds(5), 50));
      assertThat(read.writes()).isEqualTo(new WriteLimits(3000L << 20, 5L << 20));
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
          "writes: {temporary-mb: 5}",
          "configuration: unknown key writes.temporary-mb; no section has it; did you mean"
              + " writes.temporary-mib?");
      assertRefused(
          "writes: {memory-mib: 0}",
          "configuration: key writes.memory-mib has a wrong value; required is a whole number from"
              + " 1, got 0; correct it");
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
}
