/**
 * The embedded stack: PostgreSQL, an S3 endpoint, a Temporal service and DuckDB as referee, all
 * inside one JVM and on the loopback address only. The demo, {@code dev}, the benchmarks and the
 * tests of every module use this one implementation; it depends on none of our other modules.
 *
 * <p>Where to begin:
 *
 * <ul>
 *   <li>{@link dev.sluice.embedded.EmbeddedDatabase}: {@code shared().newDatabase()} is a fresh
 *       PostgreSQL database per test; {@code start(options)} a server of one's own that can be
 *       restarted or crashed.
 *   <li>{@link dev.sluice.embedded.EmbeddedS3}: {@code shared().newBucket("lake")}.
 *   <li>{@link dev.sluice.embedded.DuckDbReferee}: {@code assumeAvailable()}, then {@link
 *       dev.sluice.embedded.DuckLakeSession}{@code .open()} and {@code attach(…)}.
 *   <li>{@link dev.sluice.embedded.CatalogDump}: what a catalog holds, comparable after masking.
 *   <li>{@link dev.sluice.embedded.ConnectionCutter}: commits of unknown outcome.
 *   <li>{@link dev.sluice.embedded.EmbeddedTemporal}: {@code start(port, searchAttributes)}, then
 *       {@code client()}, or {@code target()} for another process.
 *   <li>{@link dev.sluice.embedded.ActivityOptionsChange}: time-outs and pauses shorter than those
 *       of the workflows.
 *   <li>{@link dev.sluice.embedded.SamplePrepared}: two generations of a small prepared import;
 *       {@link dev.sluice.embedded.SampleDelta}: a small Delta table.
 * </ul>
 */
@NullMarked
package dev.sluice.embedded;

import org.jspecify.annotations.NullMarked;
