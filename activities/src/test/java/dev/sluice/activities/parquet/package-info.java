/** Tests of footers, statistics, schemas and matching against real Parquet files. */
@NullMarked
package dev.sluice.activities.parquet;

import org.jspecify.annotations.NullMarked;
