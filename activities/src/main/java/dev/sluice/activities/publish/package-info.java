/**
 * The atomic swap: a verified generation becomes the content of its table in one catalog commit.
 */
@NullMarked
package dev.sluice.activities.publish;

import org.jspecify.annotations.NullMarked;
