package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.StateException;
import dev.sluice.activities.lake.WriteException;
import dev.sluice.activities.landing.LandingException;
import dev.sluice.activities.parquet.ParquetRefusedException;
import dev.sluice.activities.query.QueryException;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.catalog.error.InvalidChangeException;
import dev.sluice.catalog.error.LakeRefusedException;
import dev.sluice.catalog.read.InvalidPredicateException;
import dev.sluice.catalog.read.SnapshotNotFoundException;
import dev.sluice.catalog.read.TableNotFoundException;
import dev.sluice.worker.config.ConfigurationException;
import dev.sluice.worker.demo.DemoException;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.naming.InvalidNameException;
import io.temporal.failure.ApplicationFailure;
import org.jspecify.annotations.Nullable;

/** Turns what a command threw into its exit code; the only place that does. */
final class ExitCodes {

  private ExitCodes() {}

  /** The code of the outermost exception that we know, causes included; else FAILED. */
  static ExitCode of(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      ExitCode known = known(at);
      if (known != null) {
        return known;
      }
    }
    return ExitCode.FAILED;
  }

  /**
   * The code of a trigger's outcome. Stale is done: the table has, or is about to get, something
   * newer than what was asked for. A closed gate is a refusal: nothing was begun. Whatever else
   * ended it says so by its type.
   */
  static ExitCode of(RegisterResult result) {
    String type = result.failureType();
    ExitCode typed = type == null ? null : ofType(type);
    if (typed != null && result.status() != RegisterStatus.COMPLETED) {
      return typed;
    }
    return switch (result.status()) {
      case COMPLETED, STALE -> ExitCode.DONE;
      case SKIPPED -> ExitCode.REFUSED;
      case FAILED -> ExitCode.FAILED;
    };
  }

  private static @Nullable ExitCode known(Throwable failure) {
    return switch (failure) {
      case CommandException command -> command.exitCode();
      case CatalogException catalog -> ofCatalog(catalog);
      case StateException state -> ofState(state);
      case StorageException storage -> ofStorage(storage);
      case QueryException query -> ofQuery(query);
      case ApplicationFailure application -> ofType(application.getType());
      case WriteException write -> ofWrite(write);
      case ParquetRefusedException refused -> ExitCode.REFUSED;
      case LandingException refused -> ExitCode.REFUSED;
      case InvalidNameException refused -> ExitCode.REFUSED;
      case InvalidPredicateException refused -> ExitCode.REFUSED;
      case SnapshotNotFoundException refused -> ExitCode.REFUSED;
      case TableNotFoundException refused -> ExitCode.REFUSED;
      case ConfigurationException wrong -> ExitCode.USAGE;
      case DemoException refused -> ExitCode.REFUSED;
      default -> null;
    };
  }

  private static ExitCode ofCatalog(CatalogException failure) {
    if (!failure.outcomeKnown()) {
      return ExitCode.OUTCOME_UNKNOWN;
    }
    if (failure.conflict()) {
      return ExitCode.CONFLICT;
    }
    return failure instanceof InvalidChangeException || failure instanceof LakeRefusedException
        ? ExitCode.REFUSED
        : ExitCode.FAILED;
  }

  private static ExitCode ofState(StateException failure) {
    return switch (failure.kind()) {
      case NAME_TAKEN, ATTEMPT_FENCED, STALE_GENERATION, ORDER_KIND, IN_USE -> ExitCode.CONFLICT;
      case NOT_PROVISIONED, FIXED_SETTING, UNKNOWN_ATTEMPT -> ExitCode.REFUSED;
      case NOT_MIGRATED, UNAVAILABLE -> ExitCode.FAILED;
    };
  }

  private static ExitCode ofStorage(StorageException failure) {
    return switch (failure.kind()) {
      case NOT_FOUND,
          MISSING_BUCKET,
          ACCESS_DENIED,
          BAD_CREDENTIALS,
          WRONG_REGION,
          INVALID_KEY,
          INVALID_RANGE ->
          ExitCode.REFUSED;
      case SOURCE_CHANGED -> ExitCode.CONFLICT;
      case UNREACHABLE, THROTTLED, UNAVAILABLE, INTERRUPTED, UNEXPECTED -> ExitCode.FAILED;
    };
  }

  private static ExitCode ofQuery(QueryException failure) {
    return switch (failure.kind()) {
      case INVALID_REQUEST -> ExitCode.REFUSED;
      case WRONG_FILE, FILE_UNAVAILABLE, UNREADABLE_DATA, INTERRUPTED -> ExitCode.FAILED;
    };
  }

  private static ExitCode ofWrite(WriteException failure) {
    return switch (failure.kind()) {
      case INVALID_REQUEST, INVALID_DATA, UNSUPPORTED -> ExitCode.REFUSED;
      case ENGINE_FAILED, INTERRUPTED -> ExitCode.FAILED;
    };
  }

  /** The code for a failure's type, as activities and workflows name it. */
  static @Nullable ExitCode ofType(String type) {
    return switch (type) {
      case FailureTypes.BAD_SOURCE,
          FailureTypes.SCHEMA_MISMATCH,
          FailureTypes.INVALID_INPUT,
          FailureTypes.MISCONFIGURED,
          FailureTypes.UNSUPPORTED_LAKE,
          FailureTypes.FOREIGN_CONTENT ->
          ExitCode.REFUSED;
      case FailureTypes.NAME_TAKEN, FailureTypes.LOGICAL_CONFLICT, FailureTypes.ATTEMPT_FENCED ->
          ExitCode.CONFLICT;
      case FailureTypes.COMMIT_OUTCOME_UNKNOWN -> ExitCode.OUTCOME_UNKNOWN;
      case FailureTypes.VERIFICATION_FAILED,
          FailureTypes.CATALOG_BUSY,
          FailureTypes.UNAVAILABLE,
          FailureTypes.CHILD_NOT_STARTED ->
          ExitCode.FAILED;
      // a type that only wraps: the cause tells more
      default -> null;
    };
  }
}
