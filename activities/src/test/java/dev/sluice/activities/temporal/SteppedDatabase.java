package dev.sluice.activities.temporal;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.temporal.Steps.Effect;
import dev.sluice.activities.temporal.Steps.LostAnswer;
import dev.sluice.activities.temporal.Steps.Scope;
import dev.sluice.activities.temporal.Steps.Step;
import dev.sluice.activities.temporal.Steps.WorkerDied;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * A data source whose statements and commits are {@link Steps}. A worker that dies at one loses its
 * connection without a word, as a killed process does.
 */
final class SteppedDatabase {

  private static final String CONNECTION_FAILURE = "08006";
  private static final Pattern DEED =
      Pattern.compile(
          "\\b(insert into|update|delete from|create table|create schema|alter table|drop table)"
              + "\\s+([\\w.]+)");
  private static final Pattern SOURCE = Pattern.compile("\\bfrom\\s+([\\w.]+)");

  private SteppedDatabase() {}

  /** Wraps a data source; the place is its name in steps. */
  static DataSource of(DataSource real, String place, Steps steps) {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          Object result = call(real, method, arguments);
          return result instanceof Connection connection
              ? new Taken(connection, lost(real), place, steps).proxied()
              : result;
        });
  }

  /** Cuts a connection without a word to the server; a pool must not hand it out again. */
  private interface Cutting {
    void cut(Connection connection) throws SQLException;
  }

  private static Cutting lost(DataSource source) {
    return connection -> {
      connection.abort(Runnable::run);
      if (source instanceof HikariDataSource pool) {
        pool.evictConnection(connection);
      }
    };
  }

  /** One connection until it is given back. */
  private static final class Taken {
    private final Connection real;
    private final Cutting cutting;
    private final String place;
    private final Steps steps;
    private boolean transaction;
    private boolean begun;
    private boolean changes;

    Taken(Connection real, Cutting cutting, String place, Steps steps) {
      this.real = real;
      this.cutting = cutting;
      this.place = place;
      this.steps = steps;
    }

    Connection proxied() {
      return proxy(Connection.class, this::invoke);
    }

    private @Nullable Object invoke(
        Object self, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      switch (method.getName()) {
        case "setAutoCommit" -> {
          transaction = arguments != null && Boolean.FALSE.equals(arguments[0]);
          begun = false;
          changes = false;
        }
        case "commit" -> {
          Step commit =
              new Step(place, "commit", Scope.COMMIT, changes ? Effect.EFFECT : Effect.READ);
          begun = false;
          changes = false;
          return step(commit, () -> call(real, method, arguments));
        }
        case "rollback" -> begun = begun && arguments != null;
        case "unwrap" -> {
          if (arguments != null && PGConnection.class.equals(arguments[0])) {
            return step(statement("copy rows"), () -> call(real, method, arguments));
          }
        }
        default -> {}
      }
      Object result = call(real, method, arguments);
      if (result instanceof Statement statement) {
        String sql = arguments == null ? "" : String.valueOf(arguments[0]);
        return proxiedStatement(statement, sql);
      }
      return result;
    }

    private Statement proxiedStatement(Statement statement, String prepared) {
      List<String> batch = new ArrayList<>();
      InvocationHandler handler =
          (self, method, arguments) -> {
            String name = method.getName();
            boolean text =
                arguments != null && arguments.length > 0 && arguments[0] instanceof String;
            if (name.equals("addBatch")) {
              batch.add(text ? String.valueOf(arguments[0]) : prepared);
            }
            if (!name.startsWith("execute")) {
              return call(statement, method, arguments);
            }
            String sql =
                name.equals("executeBatch")
                    ? String.join("; ", batch)
                    : text ? String.valueOf(arguments[0]) : prepared;
            return step(statement(sql), () -> call(statement, method, arguments));
          };
      return statement instanceof PreparedStatement
          ? proxy(PreparedStatement.class, handler)
          : proxy(Statement.class, handler);
    }

    private Step statement(String sql) {
      String plain = sql.replace("\"", "").toLowerCase(Locale.ROOT).replaceAll("\\s+", " ").strip();
      String deed = deed(plain);
      boolean effect =
          !deed.startsWith("select ") && !deed.startsWith("set ") && !deed.startsWith("savepoint");
      Scope scope = !transaction ? Scope.ALONE : begun ? Scope.WITHIN : Scope.BEGIN;
      begun = transaction;
      changes |= effect;
      return new Step(place, deed, scope, effect ? Effect.EFFECT : Effect.READ);
    }

    private @Nullable Object step(Step step, Deed deed) throws Throwable {
      try {
        steps.before(step);
        Object result = deed.done();
        steps.after(step);
        return result;
      } catch (LostAnswer lost) {
        cutting.cut(real);
        throw new SQLException("the connection was cut", CONNECTION_FAILURE, lost);
      } catch (WorkerDied died) {
        cutting.cut(real);
        throw died;
      } finally {
        steps.left(step);
      }
    }
  }

  /** What a statement does, in few words. */
  private static String deed(String sql) {
    if (sql.contains("pg_advisory_xact_lock")) {
      return "take the lock";
    }
    Matcher writes = DEED.matcher(sql);
    List<String> deeds = new ArrayList<>();
    while (writes.find()) {
      String deed = writes.group(1) + " " + writes.group(2).replace("public.", "");
      if (!deeds.contains(deed) && !writes.group(2).equals("set")) {
        deeds.add(deed);
      }
    }
    if (!deeds.isEmpty()) {
      return String.join(", ", deeds);
    }
    Matcher from = SOURCE.matcher(sql);
    String table = from.find() ? from.group(1).replace("public.", "") : "";
    if (sql.contains(" for update")) {
      return "lock the row of " + table;
    }
    if (sql.startsWith("select") || sql.startsWith("with")) {
      return "select from " + table;
    }
    return sql.length() > 40 ? sql.substring(0, 40) : sql;
  }

  private interface Deed {
    @Nullable Object done() throws Throwable;
  }

  private static @Nullable Object call(
      Object real, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
