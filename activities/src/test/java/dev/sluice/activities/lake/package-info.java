/** Tests of writing tables, with DuckDB's ducklake extension as referee. */
@NullMarked
package dev.sluice.activities.lake;

import org.jspecify.annotations.NullMarked;
