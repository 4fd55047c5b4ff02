package dev.sluice.catalog;

import java.time.Instant;

/**
 * One row of {@code ducklake_snapshot}.
 *
 * @param id the snapshot id
 * @param time commit time by the database's clock
 * @param schemaVersion rises with every change of schemas, tables or columns
 * @param nextCatalogId next free schema, table, view or partition id
 * @param nextFileId next free data file, delete file or mapping id
 */
public record Snapshot(
    long id, Instant time, long schemaVersion, long nextCatalogId, long nextFileId) {}
