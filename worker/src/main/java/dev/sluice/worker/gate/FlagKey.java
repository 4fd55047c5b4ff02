package dev.sluice.worker.gate;

import dev.sluice.workflows.activity.WorkflowPath;
import java.util.Optional;

/** The flags that open paths, one answer per team. */
public enum FlagKey {
  /** Copies of models. */
  MODELING_COPY("ducklake-data-modeling-copy-workflow"),
  /** Copies of imports; targets the same tables as the registration. */
  IMPORTS_COPY("ducklake-data-imports-copy-workflow"),
  /** Registration of prepared imports. */
  IMPORTS_REGISTRATION("ducklake-data-imports-registration-workflow");

  private final String key;

  FlagKey(String key) {
    this.key = key;
  }

  /** The key as the flags file has it. */
  public String key() {
    return key;
  }

  /** The flag that opens a path. */
  static FlagKey of(WorkflowPath path) {
    return switch (path) {
      case REGISTER -> IMPORTS_REGISTRATION;
      case COPY -> IMPORTS_COPY;
      case MODEL -> MODELING_COPY;
    };
  }

  /** Finds the flag of the path that targets the same tables; models have tables of their own. */
  static Optional<FlagKey> findRival(WorkflowPath path) {
    return switch (path) {
      case REGISTER -> Optional.of(IMPORTS_COPY);
      case COPY -> Optional.of(IMPORTS_REGISTRATION);
      case MODEL -> Optional.empty();
    };
  }
}
