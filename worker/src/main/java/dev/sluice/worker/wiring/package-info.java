/** Composition: what a process is made of, put together by constructors from its configuration. */
@NullMarked
package dev.sluice.worker.wiring;

import org.jspecify.annotations.NullMarked;
