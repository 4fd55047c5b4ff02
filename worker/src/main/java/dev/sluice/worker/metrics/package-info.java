/** Metrics: one small class with every name, and what feeds it from the running activities. */
@NullMarked
package dev.sluice.worker.metrics;

import org.jspecify.annotations.NullMarked;
