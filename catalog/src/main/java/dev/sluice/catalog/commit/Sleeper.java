package dev.sluice.catalog.commit;

import java.time.Duration;

/** Makes a pause; tests put something faster in its place. */
@FunctionalInterface
public interface Sleeper {

  /** The real one. */
  Sleeper REAL = pause -> Thread.sleep(pause);

  /** Pauses. */
  void sleep(Duration pause) throws InterruptedException;
}
