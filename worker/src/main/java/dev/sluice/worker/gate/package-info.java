/**
 * The gate before every path: a flag per team, provisioning, and one path per target. Fails closed,
 * with a reason that the workflow has written down.
 */
@NullMarked
package dev.sluice.worker.gate;

import org.jspecify.annotations.NullMarked;
