/** Many short blocking tasks at once, in bounded number, on virtual threads. */
@NullMarked
package dev.sluice.activities.parallel;

import org.jspecify.annotations.NullMarked;
