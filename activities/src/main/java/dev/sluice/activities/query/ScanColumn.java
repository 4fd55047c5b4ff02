package dev.sluice.activities.query;

import dev.sluice.catalog.Column;

/**
 * A column of a scan's result.
 *
 * @param name the column's name
 * @param column the table's column; one of every table for {@code rowid} and {@code snapshot_id}
 * @param sqlType DuckDB's name of its type, children included
 */
public record ScanColumn(String name, Column column, String sqlType) {}
