package dev.sluice.worker.config;

/** How strict the configuration is read. */
public enum Mode {
  /** What is missing is an error; connections are encrypted. */
  PRODUCTION,
  /** What is missing has the development defaults; buckets are made. */
  DEVELOPMENT
}
