package dev.sluice.catalog;

/**
 * What a lake is.
 *
 * @param key the metadata schema's name, which tells lakes of one database apart
 * @param dataPath where its files lie, with one slash at the end
 */
public record LakeInfo(String key, String dataPath) {}
