/** Tests of the reading side. */
@NullMarked
package dev.sluice.catalog.read;

import org.jspecify.annotations.NullMarked;
