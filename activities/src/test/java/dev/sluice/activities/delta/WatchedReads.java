package dev.sluice.activities.delta;

import dev.sluice.activities.storage.ObjectStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/** A real store that tells of every object it is asked to read, before it does. */
final class WatchedReads {

  private WatchedReads() {}

  static ObjectStore of(ObjectStore real, Consumer<String> reading) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("read")) {
                reading.accept((String) arguments[0]);
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
