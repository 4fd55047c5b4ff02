/** Tests of the embedded stack under load. */
@NullMarked
package dev.sluice.worker.demo;

import org.jspecify.annotations.NullMarked;
