package dev.sluice.catalog.read;

/**
 * A row that was deleted from a data file.
 *
 * @param position its place in the file, from 0
 * @param snapshotId the snapshot that deleted it
 */
public record DeletedPosition(long position, long snapshotId) {}
