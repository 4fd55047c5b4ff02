/**
 * The benchmarks: our register path and our commits beside DuckDB with its ducklake extension and
 * beside the bare work underneath, in one run on one machine, so that ratios mean something.
 */
@NullMarked
package dev.sluice.worker.bench;

import org.jspecify.annotations.NullMarked;
