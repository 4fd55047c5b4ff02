package dev.sluice.activities.lake;

import org.jspecify.annotations.Nullable;

/**
 * What is stored with a write's snapshot.
 *
 * @param author who writes; null for nobody
 * @param message why; null for none, which a lake may refuse ({@code require_commit_message})
 */
public record CommitNote(@Nullable String author, @Nullable String message) {

  /** Neither. */
  public static final CommitNote NONE = new CommitNote(null, null);
}
