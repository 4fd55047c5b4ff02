/**
 * The program: main, configuration and wiring. Here the parts are put together by constructors;
 * what a job does is in the modules below.
 */
@NullMarked
package dev.sluice.worker;

import org.jspecify.annotations.NullMarked;
