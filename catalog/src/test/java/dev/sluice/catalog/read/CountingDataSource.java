package dev.sluice.catalog.read;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts the statements that are prepared or made on a data source's connections. */
public final class CountingDataSource {

  private final DataSource real;
  private final AtomicInteger statements = new AtomicInteger();

  /** Counts from now on. */
  public CountingDataSource(DataSource real) {
    this.real = real;
  }

  /** The data source whose statements are counted. */
  public DataSource proxied() {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Object result = invoke(real, method, arguments);
          return result instanceof Connection connection ? counted(connection) : result;
        });
  }

  /** Statements since the last reset. */
  public int statements() {
    return statements.get();
  }

  /** Begins again at zero. */
  public void reset() {
    statements.set(0);
  }

  private Connection counted(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("prepareStatement")
              || method.getName().equals("createStatement")) {
            statements.incrementAndGet();
          }
          return invoke(connection, method, arguments);
        });
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
