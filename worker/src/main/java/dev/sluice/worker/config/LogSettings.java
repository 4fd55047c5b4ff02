package dev.sluice.worker.config;

import java.util.Objects;

/**
 * What is logged and how.
 *
 * @param level the least severe level that is logged
 * @param format how a line looks
 */
public record LogSettings(Level level, Format format) {

  /** Levels, from the most talkative. */
  public enum Level {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR
  }

  /** How a line looks. */
  public enum Format {
    /** For people. */
    CONSOLE,
    /** For collectors. */
    JSON
  }

  /** Checks presence. */
  public LogSettings {
    Objects.requireNonNull(level, "level");
    Objects.requireNonNull(format, "format");
  }
}
