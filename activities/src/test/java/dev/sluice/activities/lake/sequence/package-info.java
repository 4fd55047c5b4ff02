/** Random sequences of operations that we and DuckDB carry out in turns on one lake. */
@NullMarked
package dev.sluice.activities.lake.sequence;

import org.jspecify.annotations.NullMarked;
