package dev.sluice.worker.wiring;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was opened, closed in reverse order. A resource that does not close cleanly is logged and
 * keeps none of the others open. Not thread-safe.
 */
public final class OpenResources implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(OpenResources.class);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** Takes a resource over and returns it. */
  public <T extends AutoCloseable> T opened(T resource) {
    opened.push(resource);
    return resource;
  }

  /** Closes what was opened last first. */
  // AutoCloseable declares the bare Exception.
  @SuppressWarnings("IllegalCatch")
  @Override
  public void close() {
    while (!opened.isEmpty()) {
      AutoCloseable resource = opened.pop();
      try {
        resource.close();
      } catch (Exception e) {
        log.warn("{} did not close cleanly: {}", resource.getClass().getSimpleName(), e.toString());
      }
    }
  }
}
