/**
 * The embedded stack put to work: an upstream import of a sample or of a folder's prepared files,
 * its tables registered, and how to look at them.
 */
@NullMarked
package dev.sluice.worker.demo;

import org.jspecify.annotations.NullMarked;
