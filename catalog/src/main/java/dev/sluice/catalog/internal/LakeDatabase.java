package dev.sluice.catalog.internal;

import dev.sluice.catalog.error.CatalogErrors;
import dev.sluice.catalog.error.CatalogException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * The PostgreSQL database of a lake, for reading. Thread-safe as far as the data source is; works
 * with a pool of one and through pgbouncer in transaction mode, because nothing is set on the
 * session.
 */
public final class LakeDatabase {

  private static final String READING = "read the catalog";

  private final DataSource dataSource;
  private final String metadataSchema;

  /**
   * A lake's database.
   *
   * @param dataSource gives connections
   * @param metadataSchema the schema of the {@code ducklake_} tables, exactly as PostgreSQL spells
   *     it
   */
  public LakeDatabase(DataSource dataSource, String metadataSchema) {
    this.dataSource = dataSource;
    this.metadataSchema = metadataSchema;
  }

  /** The schema of the {@code ducklake_} tables. */
  public String metadataSchema() {
    return metadataSchema;
  }

  /**
   * Takes a connection. A pool that cannot even start says so with an exception of its own; what it
   * says is its cause's.
   */
  public static Connection connect(DataSource dataSource) throws SQLException {
    try {
      return dataSource.getConnection();
    } catch (RuntimeException e) {
      if (e.getCause() instanceof SQLException sql) {
        throw sql;
      }
      throw e;
    }
  }

  /** Queries on a connection, the generated {@code ducklake_} tables standing in that schema. */
  public static DSLContext dsl(Connection connection, String metadataSchema) {
    RenderMapping mapping =
        new RenderMapping()
            .withSchemata(
                new MappedSchema()
                    .withInputExpression(Pattern.compile("ducklake"))
                    .withOutput(metadataSchema));
    // jOOQ's own logging renders every statement again and prints values
    return DSL.using(
        connection,
        SQLDialect.POSTGRES,
        new Settings().withRenderMapping(mapping).withExecuteLogging(false));
  }

  /** Ends a failed transaction; what fails while doing so is added to the cause, never hides it. */
  public static void rollBack(Connection connection, Throwable cause) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /**
   * Runs queries that all see one state of the database.
   *
   * @throws CatalogException if the database fails; the driver's own exception is its cause
   */
  public <T> T read(Function<DSLContext, T> queries) {
    try (Connection connection = connect(dataSource)) {
      connection.setAutoCommit(false);
      T result;
      try {
        DSLContext dsl = dsl(connection, metadataSchema);
        // for this transaction only: a pooled server connection may serve another client next
        dsl.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
        result = queries.apply(dsl);
      } catch (RuntimeException e) {
        rollBack(connection, e);
        throw e;
      }
      connection.rollback();
      connection.setAutoCommit(true);
      return result;
    } catch (DataAccessException e) {
      SQLException sql = e.getCause(SQLException.class);
      throw sql == null ? e : CatalogErrors.of(metadataSchema, READING, sql);
    } catch (SQLException e) {
      throw CatalogErrors.of(metadataSchema, READING, e);
    }
  }
}
