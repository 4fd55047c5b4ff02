/**
 * Reading a lake: resolve a snapshot, see its schemas and tables, plan a scan. Nothing here writes,
 * and nothing opens a data file.
 */
@NullMarked
package dev.sluice.catalog.read;

import org.jspecify.annotations.NullMarked;
