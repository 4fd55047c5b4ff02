package dev.sluice.activities.lake;

import java.nio.file.Path;
import java.util.Objects;

/**
 * How writes are done.
 *
 * @param folder for what DuckDB spills and for files on their way to an object store; made when
 *     missing
 * @param limits what each write may take
 * @param plans how often a write is planned anew on a newer snapshot, at least 1, before its
 *     conflict reaches the caller
 */
public record WriteSettings(Path folder, WriteLimits limits, int plans) {

  /** As many as DuckDB tries. */
  public static final int DEFAULT_PLANS = 10;

  /** Checks presence and the number. */
  public WriteSettings {
    Objects.requireNonNull(folder, "folder");
    Objects.requireNonNull(limits, "limits");
    if (plans < 1) {
      throw new IllegalArgumentException("a write is planned at least once, got " + plans);
    }
  }

  /** The defaults, with a folder. */
  public static WriteSettings in(Path folder) {
    return in(folder, WriteLimits.DEFAULTS);
  }

  /** The defaults, with a folder and limits. */
  public static WriteSettings in(Path folder, WriteLimits limits) {
    return new WriteSettings(folder, limits, DEFAULT_PLANS);
  }
}
