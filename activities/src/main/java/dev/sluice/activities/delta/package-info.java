/**
 * Reads Delta tables out of object stores: which versions there are, and for one version its
 * columns, files, partition values, statistics and deletion vectors. Data files are not opened.
 *
 * <p>The log is replayed by Delta Kernel, which reads through our stores ({@link
 * dev.sluice.activities.storage.ObjectStore}) and through no Hadoop file system. Schema, partition
 * values, statistics, paths and deletion vectors are interpreted here, by the Delta protocol
 * (PROTOCOL.md of the Delta project), because errors have to name column and file, and because what
 * cannot be read right must be refused by name.
 */
@NullMarked
package dev.sluice.activities.delta;

import org.jspecify.annotations.NullMarked;
