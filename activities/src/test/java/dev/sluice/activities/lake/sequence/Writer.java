package dev.sluice.activities.lake.sequence;

/** Whose turn it is. */
enum Writer {
  SLUICE,
  DUCKDB
}
