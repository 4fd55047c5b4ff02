/** Commits against a real PostgreSQL, with DuckDB as the referee of every change. */
@NullMarked
package dev.sluice.catalog.commit;

import org.jspecify.annotations.NullMarked;
