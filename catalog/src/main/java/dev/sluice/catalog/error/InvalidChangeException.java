package dev.sluice.catalog.error;

import java.util.List;

/** A change that the lake's present state does not allow, whoever else writes. */
public final class InvalidChangeException extends CatalogException {

  private static final long serialVersionUID = 1L;

  /** What is wrong, as far as a caller may want to act on it. */
  public enum Kind {
    /** A name, type, default or value is unacceptable, or a thing is missing or already there. */
    INVALID,
    /** The schema policy does not allow the change of columns. */
    SCHEMA_MISMATCH,
    /** The table holds content that Sluice did not put there. */
    FOREIGN_CONTENT,
    /** An object already belongs to another data file row. */
    PATH_TAKEN,
    /** What was registered is not what was asked for. */
    VERIFICATION
  }

  private final Kind kind;
  private final List<String> paths;

  InvalidChangeException(Kind kind, String message) {
    this(kind, message, List.of());
  }

  InvalidChangeException(Kind kind, String message, List<String> paths) {
    super(message, null);
    this.kind = kind;
    this.paths = List.copyOf(paths);
  }

  /** What is wrong. */
  public Kind kind() {
    return kind;
  }

  /** Full paths of every object that cannot be registered; empty unless one is taken. */
  public List<String> paths() {
    return paths;
  }

  @Override
  public boolean retryable() {
    return false;
  }

  @Override
  public boolean conflict() {
    return false;
  }

  @Override
  public boolean outcomeKnown() {
    return true;
  }
}
