/**
 * The effects of a job: object storage, Parquet, DuckDB, landing, verification, publication. Each
 * lives in a package of its own; imports go from an upper floor to a lower one, never back.
 */
@NullMarked
package dev.sluice.activities;

import org.jspecify.annotations.NullMarked;
