package dev.sluice.workflows.activity;

/**
 * Answer of landing.
 *
 * @param files files that are landed now
 * @param bytes size of those files
 */
public record LandResult(long files, long bytes) {}
