/**
 * Landing: a generation's files are copied below the lake's data path and their footers read, so
 * that a publication only has to write catalog rows. Nothing here changes what a reader sees.
 */
@NullMarked
package dev.sluice.activities.landing;

import org.jspecify.annotations.NullMarked;
