/**
 * DuckLake metadata on PostgreSQL: read a snapshot, plan a scan, commit. This package is the
 * module's public API; everything else is internal.
 */
@NullMarked
package dev.sluice.catalog;

import org.jspecify.annotations.NullMarked;
