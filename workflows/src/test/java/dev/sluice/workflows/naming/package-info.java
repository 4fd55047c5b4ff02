/** Worked examples and properties of names. */
@NullMarked
package dev.sluice.workflows.naming;

import org.jspecify.annotations.NullMarked;
