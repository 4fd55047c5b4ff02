/** Tests of the embedded stack against the real thing. */
@NullMarked
package dev.sluice.embedded;

import org.jspecify.annotations.NullMarked;
