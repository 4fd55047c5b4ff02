package dev.sluice.workflows.activity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answer of publishing a set.
 *
 * @param staleReason why nothing was published: a newer generation of a member is; null when
 *     everything was
 * @param publications one per member, in their order; empty when nothing was published
 */
public record PublishedSet(@Nullable String staleReason, List<LivePublication> publications) {

  /** Copies the list. */
  public PublishedSet {
    publications = List.copyOf(publications);
  }
}
