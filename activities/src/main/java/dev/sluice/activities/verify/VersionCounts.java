package dev.sluice.activities.verify;

/**
 * What is counted of a version of a Delta table, by its log or of what was landed.
 *
 * @param files files that have rows, or may have some
 * @param rows rows that are content
 * @param deletedRows rows of the source's files that are no content
 */
public record VersionCounts(long files, long rows, long deletedRows) {}
