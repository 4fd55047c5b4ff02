/**
 * Names as pure functions: tables, schemas, generations, landing keys, workflow and attempt ids.
 * Every party derives its names here, so that writer and reader cannot differ.
 */
@NullMarked
package dev.sluice.workflows.naming;

import org.jspecify.annotations.NullMarked;
