/** What can go wrong with a lake's catalog, and the one class that words it. */
@NullMarked
package dev.sluice.catalog.error;

import org.jspecify.annotations.NullMarked;
