/** Workflows against an in-memory Temporal service and recording activities. */
@NullMarked
package dev.sluice.workflows;

import org.jspecify.annotations.NullMarked;
