/**
 * Contracts of Sluice's workflows: what a caller starts, signals, queries and gets back. Upstream
 * teams depend on this module only; it needs the Temporal SDK and nothing else.
 */
@NullMarked
package dev.sluice.workflows;

import org.jspecify.annotations.NullMarked;
