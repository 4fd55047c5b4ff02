package dev.sluice.worker.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.ProducerOrder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads configurations for tests. */
final class Configurations {
  static final String DEVELOPMENT = "mode: development\n";

  private Configurations() {}

  static void assertRefused(String yaml, String message) {
    assertThatThrownBy(() -> development(yaml))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(message);
  }

  static RegisterTrigger trigger(@Nullable String options) {
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

  static Configuration development(String yaml) {
    return read(DEVELOPMENT + yaml, Map.of());
  }

  static Configuration production(String yaml) {
    return read(
        yaml,
        Map.of(
            "DUCKLAKE_RDS_HOST", "h", "DUCKLAKE_RDS_PASSWORD", "p", "DUCKLAKE_BUCKET", "bucket-1"));
  }

  static Configuration read(String yaml, Map<String, String> environment) {
    try {
      return Configuration.parse(yaml, environment);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
