package dev.sluice.activities.verify;

/**
 * What the source's own files say, read from the source and not from what was landed.
 *
 * @param files files that were counted
 * @param rows rows by their footers
 * @param bytes their size
 */
public record SourceCounts(long files, long rows, long bytes) {}
