/** Tests of the object stores, against a real S3 endpoint, a real directory and hostile stubs. */
@NullMarked
package dev.sluice.activities.storage;

import org.jspecify.annotations.NullMarked;
