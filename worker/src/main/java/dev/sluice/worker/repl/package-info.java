/**
 * The interactive prompt: reads lines with history, completion and a pager, and hands their words
 * to the same commands as the shell's.
 */
@NullMarked
package dev.sluice.worker.repl;

import org.jspecify.annotations.NullMarked;
