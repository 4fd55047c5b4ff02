/**
 * Writes tables of a lake: rows of a query become Parquet files, matched rows become delete files,
 * and all of it one commit. {@link dev.sluice.activities.lake.LakeTables} is the entrance.
 */
@NullMarked
package dev.sluice.activities.lake;

import org.jspecify.annotations.NullMarked;
