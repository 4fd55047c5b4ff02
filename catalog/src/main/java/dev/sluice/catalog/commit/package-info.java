/**
 * The one way to write to a lake: a {@link CommitRequest} of {@link Change}s, committed under the
 * lake's lock in one transaction. Loop, conflict check, row writer and id allocation are four
 * classes.
 */
@NullMarked
package dev.sluice.catalog.commit;

import org.jspecify.annotations.NullMarked;
