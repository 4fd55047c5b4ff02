/**
 * The command line: one small class per command. A command parses its options, calls what does the
 * work and prints; results go to standard output, everything else to standard error.
 */
@NullMarked
package dev.sluice.worker.cli;

import org.jspecify.annotations.NullMarked;
