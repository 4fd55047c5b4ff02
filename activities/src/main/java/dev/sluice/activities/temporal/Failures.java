package dev.sluice.activities.temporal;

import dev.sluice.activities.delta.DeltaException;
import dev.sluice.activities.jobs.ErrorText;
import dev.sluice.activities.jobs.StateException;
import dev.sluice.activities.landing.LandingException;
import dev.sluice.activities.landing.SourceFilesGoneException;
import dev.sluice.activities.parquet.ParquetRefusedException;
import dev.sluice.activities.parquet.write.ParquetWriteException;
import dev.sluice.activities.query.QueryException;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.catalog.UnknownColumnTypeException;
import dev.sluice.catalog.error.CatalogBusyException;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.catalog.error.CatalogUnavailableException;
import dev.sluice.catalog.error.CommitConflictException;
import dev.sluice.catalog.error.CommitOutcomeUnknownException;
import dev.sluice.catalog.error.InvalidChangeException;
import dev.sluice.catalog.error.LakeRefusedException;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.naming.InvalidNameException;
import io.temporal.failure.ApplicationFailure;
import java.util.concurrent.Callable;
import org.jooq.exception.DataAccessException;

/**
 * The one place where exceptions become failures that workflows match by type. Messages are cleaned
 * of secrets on the way, since they end up in histories and job rows. Anything that is not listed
 * passes through untouched and is retried. Thread-safe.
 */
public final class Failures {

  private final ErrorText text;

  /** Makes the mapping; messages pass through the cleaner. */
  public Failures(ErrorText text) {
    this.text = text;
  }

  /** Runs an activity's work. */
  public <T> T mapped(Callable<T> work) {
    try {
      return work.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure(FailureTypes.UNAVAILABLE, "the worker was interrupted", e);
    } catch (StateException e) {
      throw failure(typeOf(e), message(e), e);
    } catch (StorageException e) {
      throw failure(typeOf(e), message(e), e);
    } catch (CatalogException e) {
      throw failure(typeOf(e), message(e), e);
    } catch (SourceFilesGoneException e) {
      throw failure(FailureTypes.SOURCE_FILES_GONE, message(e), e);
    } catch (DeltaException e) {
      throw failure(typeOf(e), message(e), e);
    } catch (QueryException e) {
      throw failure(typeOf(e), message(e), e);
    } catch (ParquetWriteException e) {
      throw failure(FailureTypes.BAD_SOURCE, message(e), e);
    } catch (LandingException | ParquetRefusedException e) {
      throw failure(FailureTypes.BAD_SOURCE, message(e), e);
    } catch (InvalidNameException e) {
      throw failure(FailureTypes.INVALID_INPUT, message(e), e);
    } catch (UnknownColumnTypeException e) {
      throw failure(FailureTypes.UNSUPPORTED_LAKE, message(e), e);
    } catch (DataAccessException e) {
      throw failure(FailureTypes.UNAVAILABLE, message(e), e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw failure(FailureTypes.UNAVAILABLE, message(e), e);
    }
  }

  /** A failed verification. */
  public ApplicationFailure verificationFailed(String message) {
    return ApplicationFailure.newNonRetryableFailure(
        text.clean(message), FailureTypes.VERIFICATION_FAILED);
  }

  /** An attempt that has been given an outcome by somebody else. */
  public ApplicationFailure fenced(String message) {
    return ApplicationFailure.newNonRetryableFailure(
        text.clean(message), FailureTypes.ATTEMPT_FENCED);
  }

  /** A trigger that cannot be put in order. */
  public ApplicationFailure refused(String message) {
    return ApplicationFailure.newNonRetryableFailure(
        text.clean(message), FailureTypes.INVALID_INPUT);
  }

  /** Somebody else's work is in the way. */
  public ApplicationFailure conflict(String message) {
    return ApplicationFailure.newNonRetryableFailure(
        text.clean(message), FailureTypes.LOGICAL_CONFLICT);
  }

  private String message(Exception e) {
    return text.clean(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
  }

  /** The cause stays in the worker's log: its text may hold what the message must not. */
  private ApplicationFailure failure(String type, String message, Exception cause) {
    ApplicationFailure failure =
        FailureTypes.nonRetryable().contains(type)
            ? ApplicationFailure.newNonRetryableFailure(message, type)
            : ApplicationFailure.newFailure(message, type);
    failure.setStackTrace(cause.getStackTrace());
    return failure;
  }

  private static String typeOf(StateException e) {
    return switch (e.kind()) {
      case NAME_TAKEN -> FailureTypes.NAME_TAKEN;
      case NOT_PROVISIONED, FIXED_SETTING, NOT_MIGRATED -> FailureTypes.MISCONFIGURED;
      case IN_USE -> FailureTypes.LOGICAL_CONFLICT;
      case ATTEMPT_FENCED, UNKNOWN_ATTEMPT, STALE_GENERATION -> FailureTypes.ATTEMPT_FENCED;
      case ORDER_KIND -> FailureTypes.INVALID_INPUT;
      case UNAVAILABLE -> FailureTypes.UNAVAILABLE;
    };
  }

  private static String typeOf(StorageException e) {
    return switch (e.kind()) {
      case NOT_FOUND, SOURCE_CHANGED, INVALID_RANGE -> FailureTypes.BAD_SOURCE;
      case MISSING_BUCKET, ACCESS_DENIED, BAD_CREDENTIALS, WRONG_REGION ->
          FailureTypes.MISCONFIGURED;
      case INVALID_KEY -> FailureTypes.INVALID_INPUT;
      case UNREACHABLE, THROTTLED, UNAVAILABLE, INTERRUPTED, UNEXPECTED -> FailureTypes.UNAVAILABLE;
    };
  }

  private static String typeOf(QueryException e) {
    return switch (e.kind()) {
      case WRONG_FILE, FILE_UNAVAILABLE, INTERRUPTED -> FailureTypes.UNAVAILABLE;
      case INVALID_REQUEST, UNREADABLE_DATA -> FailureTypes.BAD_SOURCE;
    };
  }

  private static String typeOf(DeltaException e) {
    return switch (e.kind()) {
      case INTERRUPTED -> FailureTypes.UNAVAILABLE;
      case NOT_A_DELTA_TABLE,
          LOG_NOT_READY,
          NO_SUCH_VERSION,
          UNSUPPORTED_FEATURE,
          LOG_BROKEN,
          UNSUPPORTED_COLUMN,
          BAD_FILE_ENTRY,
          BROKEN_DELETES ->
          FailureTypes.BAD_SOURCE;
    };
  }

  private static String typeOf(CatalogException e) {
    return switch (e) {
      case CatalogUnavailableException unavailable -> FailureTypes.UNAVAILABLE;
      case CatalogBusyException busy -> FailureTypes.CATALOG_BUSY;
      case CommitConflictException conflict -> FailureTypes.LOGICAL_CONFLICT;
      case LakeRefusedException refused -> FailureTypes.UNSUPPORTED_LAKE;
      case CommitOutcomeUnknownException unknown -> FailureTypes.COMMIT_OUTCOME_UNKNOWN;
      case InvalidChangeException invalid ->
          switch (invalid.kind()) {
            case INVALID -> FailureTypes.INVALID_INPUT;
            case SCHEMA_MISMATCH -> FailureTypes.SCHEMA_MISMATCH;
            case FOREIGN_CONTENT -> FailureTypes.FOREIGN_CONTENT;
            case PATH_TAKEN -> FailureTypes.LOGICAL_CONFLICT;
            case VERIFICATION -> FailureTypes.VERIFICATION_FAILED;
          };
    };
  }
}
