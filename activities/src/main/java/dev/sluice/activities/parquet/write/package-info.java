/**
 * Writes Parquet files as DuckLake wants them: field ids on every named node, the physical types
 * that DuckDB's own writer uses, memory bounded by one row group.
 */
@NullMarked
package dev.sluice.activities.parquet.write;

import org.jspecify.annotations.NullMarked;
