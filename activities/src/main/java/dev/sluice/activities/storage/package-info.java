/**
 * Object stores: one small interface, {@link dev.sluice.activities.storage.ObjectStore}, over S3
 * and over a local directory, with the rules about locations, keys, sameness and errors that
 * everything above relies on. The lowest floor of the module: it knows nothing of Parquet, catalogs
 * or jobs.
 */
@NullMarked
package dev.sluice.activities.storage;

import org.jspecify.annotations.NullMarked;
