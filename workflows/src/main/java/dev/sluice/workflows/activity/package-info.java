/**
 * The effects the workflows ask for: one activity interface per stage, each method with one record
 * in and one record out. Lists of files never travel; the ledger holds them under the attempt.
 */
@NullMarked
package dev.sluice.workflows.activity;

import org.jspecify.annotations.NullMarked;
