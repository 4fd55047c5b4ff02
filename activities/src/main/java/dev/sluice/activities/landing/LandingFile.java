package dev.sluice.activities.landing;

/**
 * One file of a generation on its way into the lake.
 *
 * @param sourceKey key in the source's store
 * @param landedKey key in the lake's store, below the generation's landing prefix
 * @param sizeBytes size of the source object when it was listed
 */
public record LandingFile(String sourceKey, String landedKey, long sizeBytes) {}
