/** Deterministic implementations of the workflows; registered through {@code Workflows}. */
@NullMarked
package dev.sluice.workflows.internal;

import org.jspecify.annotations.NullMarked;
