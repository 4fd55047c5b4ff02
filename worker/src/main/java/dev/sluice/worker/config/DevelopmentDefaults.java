package dev.sluice.worker.config;

/** What is assumed in development where nothing is set. */
final class DevelopmentDefaults {
  static final String HOST = "localhost";
  static final String DATABASE = "ducklake";
  static final String USER = "insights";
  static final String PASSWORD = "insights";
  static final String BUCKET = "ducklake-dev";
  static final String ENDPOINT = "http://localhost:19000";
  static final String ACCESS_KEY = "insights";
  static final String SECRET_KEY = "insights";

  private DevelopmentDefaults() {}
}
