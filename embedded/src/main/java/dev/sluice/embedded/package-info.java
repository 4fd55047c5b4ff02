/**
 * The embedded stack: PostgreSQL, an S3 endpoint, a Temporal service and DuckDB as referee, all
 * inside one JVM and on the loopback address only. The demo, {@code dev}, the benchmarks and the
 * tests of every module use this one implementation; it depends on none of our other modules.
 */
@NullMarked
package dev.sluice.embedded;

import org.jspecify.annotations.NullMarked;
