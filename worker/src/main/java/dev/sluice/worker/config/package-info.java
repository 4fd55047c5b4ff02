/**
 * The configuration: one record per section, read from {@code sluice.yaml} and from the
 * environment. Unknown keys stop the start; secrets have a type that does not print.
 */
@NullMarked
package dev.sluice.worker.config;

import org.jspecify.annotations.NullMarked;
