/**
 * What a Parquet file says about itself, and whether and how it fits a DuckLake table: footers and
 * their statistics, schemas across files, partition values in paths, and the match of a file with a
 * table's columns. Only footers are read, never data.
 *
 * <p>Whatever a footer leaves open stays unknown, because a wrong bound loses rows silently while
 * an unknown one only costs a read.
 */
@NullMarked
package dev.sluice.activities.parquet;

import org.jspecify.annotations.NullMarked;
