package dev.sluice.catalog.internal;

import org.jspecify.annotations.Nullable;

/**
 * The one place that resolves paths of a lake: data path, schema path, table path and file path are
 * joined as text, each relative to the one before unless its row says otherwise (ducklake-format
 * 6.1).
 */
public final class LakePath {

  private LakePath() {}

  /**
   * The full path of a child of {@code base}.
   *
   * @param base fully resolved, with trailing slash
   * @param path as stored; null means the base itself
   * @param relative as stored; null counts as relative, as every writer stores a flag
   */
  public static String resolve(String base, @Nullable String path, @Nullable Boolean relative) {
    if (path == null) {
      return base;
    }
    return relative == null || relative ? base + path : path;
  }
}
