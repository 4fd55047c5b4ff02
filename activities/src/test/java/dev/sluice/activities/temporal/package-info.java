/** The register path end to end: real database, real stores, Temporal in memory, DuckDB judging. */
@NullMarked
package dev.sluice.activities.temporal;

import org.jspecify.annotations.NullMarked;
