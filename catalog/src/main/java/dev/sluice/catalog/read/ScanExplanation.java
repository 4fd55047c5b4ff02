package dev.sluice.catalog.read;

import java.util.List;

/**
 * A plan, and why it reads no more.
 *
 * @param plan the plan, as a scan with the same condition would get it
 * @param skipped the live files that it leaves out
 */
public record ScanExplanation(ScanPlan plan, List<SkippedFile> skipped) {

  /** Copies the list. */
  public ScanExplanation {
    skipped = List.copyOf(skipped);
  }
}
