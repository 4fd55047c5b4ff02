/** What the packages of this module share and nobody else sees. */
@NullMarked
package dev.sluice.catalog.internal;

import org.jspecify.annotations.NullMarked;
