package dev.sluice.worker.gate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Where the text of the flags comes from. Asked at every evaluation, so that a change is seen. */
@FunctionalInterface
public interface FlagSource {

  /**
   * The flags as YAML or JSON: per flag {@code default} and {@code teams}, a map from team number
   * to true or false.
   *
   * @throws IOException when they cannot be read; every gate is closed then
   */
  String read() throws IOException;

  /** Reads a file at every evaluation: it is small, and evaluations are rare. */
  static FlagSource file(Path file) {
    return () -> Files.readString(file);
  }

  /** No flags: every gate is closed. */
  static FlagSource none() {
    return () -> "";
  }

  /** These flags on for every team, for the embedded stack. */
  static FlagSource on(Set<FlagKey> flags) {
    Map<String, String> lines = new HashMap<>();
    flags.forEach(flag -> lines.put(flag.key(), flag.key() + ": {default: true}\n"));
    String text = String.join("", lines.values());
    return () -> text;
  }
}
