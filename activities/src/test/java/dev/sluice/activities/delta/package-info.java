/** Tests of the Delta reader, and the folders they write by hand. */
@NullMarked
package dev.sluice.activities.delta;

import org.jspecify.annotations.NullMarked;
