package dev.sluice.catalog.error;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * What PostgreSQL's SQLSTATEs mean to a writer, of a lake's catalog or of the state beside it. The
 * one place that knows them, so that both sides of a transaction agree about what passes.
 * Stateless.
 */
public final class SqlStates {

  private static final String UNIQUE_VIOLATION = "23505";
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK = "40P01";
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String QUERY_CANCELED = "57014";
  private static final String UNDEFINED_TABLE = "42P01";
  private static final String INVALID_SCHEMA = "3F000";
  private static final String READ_ONLY_TRANSACTION = "25006";
  private static final String UNKNOWN_DATABASE = "3D000";
  private static final String CONNECTION_CLASS = "08";
  private static final String AUTHORIZATION_CLASS = "28";
  private static final String RESOURCES_CLASS = "53";

  /** The server ends sessions (shutdown, crash, not yet up) or a session ran into its time-out. */
  private static final Set<String> SESSION_ENDED =
      Set.of("57P01", "57P02", "57P03", "57P05", "25P03", "25P04");

  private static final Set<String> RACED_KEYS =
      Set.of("ducklake_snapshot_pkey", "ducklake_snapshot_changes_pkey", "commit_log_pkey");

  private SqlStates() {}

  /** What a failure means before COMMIT was sent. */
  public enum Meaning {
    /**
     * Another writer was faster; a fresh transaction may win. Of the unique keys only those of the
     * snapshot and of the commit log mean this; a clash elsewhere would clash again.
     */
    LOST_RACE,
    /** A lock or statement time-out of ours. */
    TIMED_OUT,
    /** No connection, or the server ended it, takes no writes, or has no room for any. */
    UNAVAILABLE,
    /** User, password or database name is wrong. */
    ACCESS_REFUSED,
    /** A table or schema is not there. */
    MISSING_TABLE,
    /** Anything else. */
    OTHER
  }

  /** Classifies a failure by SQLSTATE; the message's language does not matter. */
  public static Meaning meaning(SQLException failure) {
    String state = failure.getSQLState();
    if (isConnectionLoss(state)) {
      return Meaning.UNAVAILABLE;
    }
    return switch (state) {
      case UNIQUE_VIOLATION ->
          RACED_KEYS.contains(constraint(failure)) ? Meaning.LOST_RACE : Meaning.OTHER;
      case SERIALIZATION_FAILURE, DEADLOCK -> Meaning.LOST_RACE;
      case LOCK_NOT_AVAILABLE, QUERY_CANCELED -> Meaning.TIMED_OUT;
      case READ_ONLY_TRANSACTION -> Meaning.UNAVAILABLE;
      case UNDEFINED_TABLE, INVALID_SCHEMA -> Meaning.MISSING_TABLE;
      case UNKNOWN_DATABASE -> Meaning.ACCESS_REFUSED;
      default -> ofClass(state);
    };
  }

  private static Meaning ofClass(String state) {
    if (state.startsWith(AUTHORIZATION_CLASS)) {
      return Meaning.ACCESS_REFUSED;
    }
    return state.startsWith(RESOURCES_CLASS) ? Meaning.UNAVAILABLE : Meaning.OTHER;
  }

  private static String constraint(SQLException failure) {
    ServerErrorMessage answer =
        failure instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
    String name = answer == null ? null : answer.getConstraint();
    return name == null ? "" : name;
  }

  /** Whether a failed COMMIT may nevertheless have taken place: the server did not say no. */
  public static boolean leavesCommitInDoubt(SQLException failure) {
    return isConnectionLoss(failure.getSQLState());
  }

  private static boolean isConnectionLoss(@Nullable String state) {
    return state == null || state.startsWith(CONNECTION_CLASS) || SESSION_ENDED.contains(state);
  }

  /** The state for messages; {@code none} when the driver gave none. */
  public static String text(SQLException failure) {
    return failure.getSQLState() == null ? "none" : failure.getSQLState();
  }
}
