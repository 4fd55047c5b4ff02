/**
 * What an upstream team uses: the helper that starts a child exactly once per source, and a sample
 * parent that shows how little there is to write.
 */
@NullMarked
package dev.sluice.workflows.upstream;

import org.jspecify.annotations.NullMarked;
