package dev.sluice.activities.parquet.write;

/**
 * A finished file.
 *
 * @param key its key in the store
 * @param path the full path under which a catalog and DuckDB know it
 * @param recordCount rows in it, 0 or more (a lake never registers empty files)
 * @param fileSizeBytes exact size
 * @param footerSize length of the footer without the 8 trailing bytes
 */
public record WrittenFile(
    String key, String path, long recordCount, long fileSizeBytes, long footerSize) {}
