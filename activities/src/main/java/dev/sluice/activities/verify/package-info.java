/** Compares what was landed with the source, before anything is published. */
@NullMarked
package dev.sluice.activities.verify;

import org.jspecify.annotations.NullMarked;
