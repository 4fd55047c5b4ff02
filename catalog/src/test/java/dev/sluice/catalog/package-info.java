/** Tests of the catalog's public types. */
@NullMarked
package dev.sluice.catalog;

import org.jspecify.annotations.NullMarked;
