package dev.sluice.embedded;

import java.util.List;

/**
 * One table of a prepared upstream import, as the producer knows it when the import ends.
 *
 * @param name the table's name upstream
 * @param schemaId the source schema's UUID
 * @param folderPath {@code team_<team>_<source type>_<schema UUID>}, lower case, with underscores
 * @param folder the prepared folder's name, {@code <table>__query_<epoch seconds>_<8 hex>}
 * @param rows how many rows its files hold
 * @param files the keys of its files below the bucket (or root folder), sorted
 */
public record PreparedTable(
    String name, String schemaId, String folderPath, String folder, long rows, List<String> files) {

  /** Copies the list of files. */
  public PreparedTable {
    files = List.copyOf(files);
  }

  /** The prepared folder below the bucket: {@code <folder path>/<folder>}. */
  public String prefix() {
    return folderPath + "/" + folder;
  }
}
