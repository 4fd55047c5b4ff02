package dev.sluice.activities.storage;

import org.jspecify.annotations.Nullable;

/**
 * The last bytes of an object, read with one request.
 *
 * @param bytes the tail; the whole object when it is not longer than what was asked for. Not
 *     copied: the array belongs to the receiver
 * @param sizeBytes length of the whole object
 * @param etag of the version that was read, null when the store keeps none
 */
@SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
public record ObjectTail(byte[] bytes, long sizeBytes, @Nullable String etag) {}
