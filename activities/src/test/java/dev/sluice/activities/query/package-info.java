/** Our reading against real DuckDB's. */
@NullMarked
package dev.sluice.activities.query;

import org.jspecify.annotations.NullMarked;
