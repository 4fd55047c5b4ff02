package dev.sluice.workflows.activity;

/**
 * Answer of inspecting.
 *
 * @param rows rows by the footers of the landed files
 * @param files landed files, those without rows included
 * @param columns top-level columns of the generation, partition columns included
 */
public record InspectResult(long rows, long files, long columns) {}
