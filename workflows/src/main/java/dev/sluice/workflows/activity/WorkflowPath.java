package dev.sluice.workflows.activity;

import java.util.Locale;

/** The ways by which data reaches a table; each has its own gate. */
public enum WorkflowPath {
  /** Prepared Parquet files are landed and registered. */
  REGISTER,
  /** A pinned version of a Delta table is landed and registered. */
  COPY,
  /** A pinned version of a model's Delta table is landed and registered. */
  MODEL;

  /** Returns the path as it is stored in the job table, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
