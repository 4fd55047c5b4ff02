/** What we write, read back by DuckDB. */
@NullMarked
package dev.sluice.activities.parquet.write;

import org.jspecify.annotations.NullMarked;
