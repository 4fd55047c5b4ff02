/** Tests of the prompt. */
@NullMarked
package dev.sluice.worker.repl;

import org.jspecify.annotations.NullMarked;
