/**
 * The state that Sluice owns: triggers, attempts, events and names in the home database;
 * publications, fences, ledger and pins beside each lake. Stores of the home database open their
 * own short transactions; stores of a lake take the transaction they work in as a parameter.
 */
@NullMarked
package dev.sluice.activities.jobs;

import org.jspecify.annotations.NullMarked;
