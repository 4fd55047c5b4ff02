/** Tests of the benchmarks: what they print, never how fast anything is. */
@NullMarked
package dev.sluice.worker.bench;

import org.jspecify.annotations.NullMarked;
