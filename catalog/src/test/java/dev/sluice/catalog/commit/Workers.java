package dev.sluice.catalog.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs tasks at the same time, all let go at once, and hands their results or first failure on.
 * Platform threads: DuckDB's native calls would hold on to the few carriers of virtual ones.
 */
final class Workers {

  private Workers() {}

  static <T> List<T> together(List<Callable<T>> tasks) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<T>> running =
          tasks.stream()
              .map(
                  task ->
                      threads.submit(
                          () -> {
                            start.await();
                            return task.call();
                          }))
              .toList();
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> one : running) {
        results.add(result(one));
      }
      return results;
    }
  }

  private static <T> T result(Future<T> task) throws Exception {
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
