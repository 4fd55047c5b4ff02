package dev.sluice.activities.jobs;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
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
  // SQLSTATE classes and codes that say "not now" (PostgreSQL, appendix A).
  private static final Set<String> PASSING_CLASSES = Set.of("08", "53");
  private static final Set<String> PASSING_STATES =
      Set.of("40001", "40P01", "55P03", "57014", "57P01", "57P02", "57P03");

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
   * Runs the work in one transaction; whatever it throws rolls back and reaches the caller.
   *
   * @throws StateException of kind {@code UNAVAILABLE} for a passing failure of the database
   */
  public <T> T write(Function<DSLContext, T> work) {
    try {
      return dsl.transactionResult(configuration -> work.apply(configuration.dsl()));
    } catch (DataAccessException e) {
      throw translated(e);
    }
  }

  private RuntimeException translated(DataAccessException failure) {
    SQLException sql = failure.getCause(SQLException.class);
    if (sql == null) {
      return failure;
    }
    String state = sql.getSQLState();
    boolean passing =
        state == null
            || PASSING_STATES.contains(state)
            || (state.length() >= 2 && PASSING_CLASSES.contains(state.substring(0, 2)));
    return passing ? StateErrors.unavailable(name, failure) : failure;
  }
}
