package dev.sluice.workflows;

import java.util.List;

/**
 * The types of {@code ApplicationFailure} that cross between activities and workflows. Workflow
 * code matches on these, never on messages; activities convert their exceptions in one place.
 */
public final class FailureTypes {
  /** A lost race or an unavailable lock after the inner retries; retried with a delay. */
  public static final String CATALOG_BUSY = "CatalogBusy";

  /** COMMIT was sent and its answer was lost; retried, and the retry looks the key up first. */
  public static final String COMMIT_OUTCOME_UNKNOWN = "CommitOutcomeUnknown";

  /** A store or database could not be reached before anything was committed; retried. */
  public static final String UNAVAILABLE = "Unavailable";

  /** The target was dropped or altered by someone else; not retried. */
  public static final String LOGICAL_CONFLICT = "LogicalConflict";

  /** The lake's format is older, newer, unknown or encrypted; not retried. */
  public static final String UNSUPPORTED_LAKE = "UnsupportedLake";

  /** Files disagree with each other or with the table; not retried. */
  public static final String SCHEMA_MISMATCH = "SchemaMismatch";

  /** A check failed; the landed files are quarantined and the live table stays; not retried. */
  public static final String VERIFICATION_FAILED = "VerificationFailed";

  /** A name or option in the trigger is not acceptable; not retried. */
  public static final String INVALID_INPUT = "InvalidInput";

  /** The prepared folder is empty, or one of its files cannot be used; not retried. */
  public static final String BAD_SOURCE = "BadSource";

  /** Files of the pinned version vanished from the source while it was copied; planned anew. */
  public static final String SOURCE_FILES_GONE = "SourceFilesGone";

  /** Another source owns the target's name; not retried. */
  public static final String NAME_TAKEN = "NameTaken";

  /** The target holds content that Sluice did not put there; not retried. */
  public static final String FOREIGN_CONTENT = "ForeignContent";

  /** Bucket, credentials, permission or provisioning are wrong; not retried. */
  public static final String MISCONFIGURED = "Misconfigured";

  /** The attempt was reaped or overtaken and may do nothing more; not retried, ends as stale. */
  public static final String ATTEMPT_FENCED = "AttemptFenced";

  /** A child could neither be started nor signalled within the bound; thrown in the parent. */
  public static final String CHILD_NOT_STARTED = "ChildNotStarted";

  /** The failure of an attempt whose cause carries no type of its own. */
  public static final String REGISTER_FAILED = "RegisterFailed";

  /** Some models of a run were not published; its details hold the {@link ModelCopyResult}. */
  public static final String MODELS_FAILED = "ModelsFailed";

  private FailureTypes() {}

  /** Types that Temporal retries; anything without a type is retried as well. */
  public static List<String> retryable() {
    return List.of(CATALOG_BUSY, COMMIT_OUTCOME_UNKNOWN, UNAVAILABLE);
  }

  /** Types that no retry can mend. */
  public static List<String> nonRetryable() {
    return List.of(
        LOGICAL_CONFLICT,
        UNSUPPORTED_LAKE,
        SCHEMA_MISMATCH,
        VERIFICATION_FAILED,
        INVALID_INPUT,
        BAD_SOURCE,
        SOURCE_FILES_GONE,
        NAME_TAKEN,
        FOREIGN_CONTENT,
        MISCONFIGURED,
        ATTEMPT_FENCED);
  }
}
