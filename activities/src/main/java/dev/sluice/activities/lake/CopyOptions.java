package dev.sluice.activities.lake;

import dev.sluice.activities.query.Sql;
import dev.sluice.catalog.Schema;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.CatalogView;
import dev.sluice.catalog.read.LakeOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a lake wants the files of a table (ducklake-format 1.1): the table's own option, else its
 * schema's, else the lake's, else DuckDB's default.
 *
 * @param doing the operation, for errors
 * @param options all options
 * @param schemaId the table's schema
 * @param tableId the table
 */
record CopyOptions(String doing, LakeOptions options, long schemaId, long tableId) {

  /** What DuckDB's extension takes when nobody says otherwise. */
  private static final String DEFAULT_TARGET_BYTES = "536870912";

  /**
   * DuckDB keeps a dictionary up to one different value in five rows, 24,576 in a row group of its
   * usual size. Columns of different values only, such as ids, fill it in vain: with fewer its
   * table stays in the processor's cache, and rows are written a sixth faster.
   */
  private static final int DICTIONARY_ENTRIES = 16_384;

  private static final Pattern SIZE = Pattern.compile("[0-9]+( ?[KMGT]i?B)?");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_]+");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  static CopyOptions of(String doing, LakeOptions options, CatalogView view, Table table) {
    long schemaId = view.findSchema(table.name().schema()).map(Schema::id).orElse(-1L);
    return new CopyOptions(doing, options, schemaId, table.id());
  }

  /** The options of a COPY that say how Parquet is written. */
  String parquet() {
    List<String> all = new ArrayList<>(List.of("FORMAT parquet"));
    find("parquet_compression", WORD).ifPresent(codec -> all.add("COMPRESSION " + literal(codec)));
    find("parquet_compression_level", NUMBER).ifPresent(n -> all.add("COMPRESSION_LEVEL " + n));
    find("parquet_version", WORD)
        .ifPresent(
            version ->
                all.add(
                    "PARQUET_VERSION V" + version.toUpperCase(Locale.ROOT).replaceFirst("^V", "")));
    all.add(
        find("parquet_row_group_size", NUMBER)
            .map(rows -> "ROW_GROUP_SIZE " + rows)
            .orElse("DICTIONARY_SIZE_LIMIT " + DICTIONARY_ENTRIES));
    find("parquet_row_group_size_bytes", SIZE)
        .ifPresent(bytes -> all.add("ROW_GROUP_SIZE_BYTES " + literal(bytes)));
    return String.join(", ", all);
  }

  /** At about this size a file is closed and another one begun; SQL. */
  String targetFileSize() {
    return literal(find("target_file_size", SIZE).orElse(DEFAULT_TARGET_BYTES));
  }

  /** Whether files of partitioned tables lie in folders that tell their values. */
  boolean hiveFolders() {
    return isOn("hive_file_pattern");
  }

  /** Whether rows are sorted when they are inserted. */
  boolean sortOnInsert() {
    return isOn("sort_on_insert");
  }

  /** Whether a commit needs a message. */
  boolean requiresMessage() {
    return value("require_commit_message").filter("true"::equalsIgnoreCase).isPresent();
  }

  private boolean isOn(String key) {
    return value(key).filter("false"::equalsIgnoreCase).isEmpty();
  }

  private Optional<String> value(String key) {
    return options.findForTable(key, schemaId, tableId);
  }

  private Optional<String> find(String key, Pattern form) {
    Optional<String> value = value(key);
    value
        .filter(text -> !form.matcher(text).matches())
        .ifPresent(
            text -> {
              throw WriteErrors.wrongOption(doing, key, text);
            });
    return value;
  }

  /** DuckDB takes a plain number of bytes as a number only. */
  private static String literal(String text) {
    return NUMBER.matcher(text).matches() ? text : Sql.literal(text);
  }
}
