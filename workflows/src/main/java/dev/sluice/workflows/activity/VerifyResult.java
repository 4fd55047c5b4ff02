package dev.sluice.workflows.activity;

/**
 * Answer of a verification that passed.
 *
 * @param checks checks that were made
 * @param rows rows of the source, equal within the table's tolerance to those landed
 */
public record VerifyResult(int checks, long rows) {}
