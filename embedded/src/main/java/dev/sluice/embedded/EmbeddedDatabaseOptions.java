package dev.sluice.embedded;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an embedded PostgreSQL server is started.
 *
 * @param port the TCP port on the loopback address, 0 for any free one
 * @param folder where the server's data is kept between runs; null for a temporary folder that is
 *     removed when the server is closed
 * @param settings server settings in PostgreSQL's own names and units, e.g. {@code
 *     max_connections}; they win over the defaults here ({@code synchronous_commit=on}, {@code
 *     fsync=on}, {@code timezone=UTC})
 */
public record EmbeddedDatabaseOptions(
    int port, @Nullable Path folder, Map<String, String> settings) {

  /** Copies the settings. */
  public EmbeddedDatabaseOptions {
    settings = Map.copyOf(settings);
  }

  /** A free port, a temporary folder and no setting beyond the defaults. */
  public static EmbeddedDatabaseOptions defaults() {
    return new EmbeddedDatabaseOptions(0, null, Map.of());
  }

  /** These options with a fixed port. */
  public EmbeddedDatabaseOptions onPort(int fixedPort) {
    return new EmbeddedDatabaseOptions(fixedPort, folder, settings);
  }

  /** These options with a data folder that outlives the server. */
  public EmbeddedDatabaseOptions keptIn(Path keptFolder) {
    return new EmbeddedDatabaseOptions(port, keptFolder, settings);
  }

  /** These options with one more server setting. */
  public EmbeddedDatabaseOptions with(String setting, String value) {
    Map<String, String> all = new HashMap<>(settings);
    all.put(setting, value);
    return new EmbeddedDatabaseOptions(port, folder, all);
  }
}
