package dev.sluice.activities.jobs;

import dev.sluice.catalog.error.SqlStates;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * A database that holds Sluice's state, home or beside a lake. Every call uses one connection of
 * the data source and gives it back; nothing relies on session state, so a pool of one and a pooler
 * in transaction mode will do. Thread-safe.
 */
public final class StateDatabase {
  /**
   * Limits of one writing transaction, enforced by the server: a process that stalls in it lets go
   * of its locks after 15 s, so nobody waits for long. Waiting for a lock ends before the shortest
   * time-out of an activity (30 s); a statement may write a ledger of many thousand files.
   */
  private static final String LIMITS =
      "SET LOCAL lock_timeout = '20s'; SET LOCAL statement_timeout = '60s';"
          + " SET LOCAL idle_in_transaction_session_timeout = '15s'";

  private final String name;
  private final DSLContext dsl;

  /**
   * Makes a view of a database.
   *
   * @param name how errors call it, such as {@code home database}; holds no secret
   * @param connections where connections come from; the caller closes it
   */
  public StateDatabase(String name, DataSource connections) {
    this.name = Objects.requireNonNull(name, "name");
    this.dsl =
        DSL.using(
            connections,
            SQLDialect.POSTGRES,
            // Bound values may hold secrets; jOOQ must not print them.
            new Settings().withExecuteLogging(false));
  }

  /** How errors call it. */
  public String name() {
    return name;
  }

  /**
   * Runs single statements, each committed by itself.
   *
   * @throws StateException of kind {@code UNAVAILABLE} for a passing failure of the database
   */
  public <T> T read(Function<DSLContext, T> work) {
    try {
      return work.apply(dsl);
    } catch (DataAccessException e) {
      throw translated(e);
    }
  }

  /**
   * Runs the work in one transaction; whatever it throws rolls back and reaches the caller. The
   * server ends it when it waits, works or idles for too long.
   *
   * @throws StateException of kind {@code UNAVAILABLE} for a passing failure of the database
   */
  public <T> T write(Function<DSLContext, T> work) {
    try {
      return dsl.transactionResult(
          configuration -> {
            configuration.dsl().execute(LIMITS);
            return work.apply(configuration.dsl());
          });
    } catch (DataAccessException e) {
      throw translated(e);
    }
  }

  private RuntimeException translated(DataAccessException failure) {
    SQLException sql = failure.getCause(SQLException.class);
    if (sql == null) {
      return failure;
    }
    return switch (SqlStates.meaning(sql)) {
      case LOST_RACE, TIMED_OUT, UNAVAILABLE -> StateErrors.unavailable(name, failure);
      case ACCESS_REFUSED, MISSING_TABLE, OTHER -> failure;
    };
  }
}
