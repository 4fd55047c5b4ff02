package dev.sluice.catalog.error;

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

  InvalidChangeException(Kind kind, String message) {
    super(message, null);
    this.kind = kind;
  }

  /** What is wrong. */
  public Kind kind() {
    return kind;
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
