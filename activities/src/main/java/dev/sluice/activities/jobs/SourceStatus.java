package dev.sluice.activities.jobs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a source stands. Latest and latest completed attempt are separate, so that a later failure
 * does not hide when data was last applied.
 *
 * @param source the source
 * @param readiness the word for it
 * @param why the readiness in a sentence
 * @param target its table, with the lake's configured name; null before one was resolved
 * @param latest the attempt that started last; null when there was none
 * @param completed the completed attempt that ended last; null when there was none
 * @param pending what waits in the slot; null when it is empty
 * @param lastEvent the newest event; null when there was none
 */
public record SourceStatus(
    SourceRef source,
    Readiness readiness,
    String why,
    @Nullable Target target,
    @Nullable SourceJob latest,
    @Nullable SourceJob completed,
    @Nullable StoredTrigger pending,
    @Nullable SourceEvent lastEvent) {

  /** Checks presence. */
  public SourceStatus {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(readiness, "readiness");
    Objects.requireNonNull(why, "why");
  }
}
