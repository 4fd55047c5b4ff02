package dev.sluice.catalog;

/**
 * A schema live at one snapshot.
 *
 * @param id the schema id
 * @param name the name as stored
 * @param path fully resolved, with trailing slash
 */
public record Schema(long id, String name, String path) {}
