/**
 * Reads tables of a lake through an embedded DuckDB over our own scan plans, without DuckDB's
 * ducklake extension: what we planned is what is read.
 */
@NullMarked
package dev.sluice.activities.query;

import org.jspecify.annotations.NullMarked;
