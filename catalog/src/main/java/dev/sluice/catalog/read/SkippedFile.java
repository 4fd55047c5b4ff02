package dev.sluice.catalog.read;

import java.util.List;

/**
 * A live file that a plan leaves out.
 *
 * @param file the file
 * @param reasons never empty; several when every branch of an OR was ruled out for itself
 */
public record SkippedFile(ScanFile file, List<SkipReason> reasons) {

  /** Copies the reasons. */
  public SkippedFile {
    reasons = List.copyOf(reasons);
  }
}
