/**
 * Thin Temporal activities: take a record in, call the floors below, give a record back, and turn
 * every failure into one of the types that the workflows know.
 */
@NullMarked
package dev.sluice.activities.temporal;

import org.jspecify.annotations.NullMarked;
