package dev.sluice.activities.lake;

import dev.sluice.activities.query.LakeRelations;
import dev.sluice.activities.query.Sql;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBAppender;
import org.jspecify.annotations.Nullable;

/**
 * A source as a relation inside DuckDB, columns named {@code s0}, {@code s1}, … whatever the source
 * calls them.
 *
 * @param sql a SELECT of the rows, to be read any number of times
 * @param columns its columns
 */
record SourceRelation(String sql, List<SourceColumn> columns) {

  SourceRelation {
    columns = List.copyOf(columns);
  }

  /** What a file gives that holds no rows and names no columns. */
  private static final SourceRelation NO_ROWS =
      new SourceRelation("SELECT 1 WHERE false", List.of());

  /** What is special in DuckDB's patterns of file names; itself when alone in brackets. */
  private static final Pattern PATTERN = Pattern.compile("[*?\\[]");

  /** Whether it is known to have no rows, though perhaps not which columns it would have. */
  boolean hasNoRows() {
    return equals(NO_ROWS);
  }

  /** Makes the lake's tables that a SELECT names visible to it. */
  @FunctionalInterface
  interface LakeNames {
    LakeRelations define(String select) throws SQLException;
  }

  /**
   * Makes the relation; files are not read yet, values are in DuckDB.
   *
   * @param lake what a SELECT may name
   * @throws WriteException if the source cannot be read or names a column twice
   */
  static SourceRelation of(String doing, WriteEngine engine, RowSource source, LakeNames lake) {
    try {
      SourceRelation relation =
          switch (source) {
            case RowSource.Values values -> values(doing, engine, values);
            case RowSource.Csv csv -> csv(doing, csv.file());
            case RowSource.Json json -> json(doing, engine, json.file());
            case RowSource.Parquet parquet -> parquet(doing, engine, parquet.file());
            case RowSource.Select select ->
                described(engine, oneSelect(doing, engine, select, lake));
          };
      requireDistinct(doing, relation.columns().stream().map(SourceColumn::name).toList());
      return relation;
    } catch (SQLException e) {
      throw WriteErrors.badSource(doing, e);
    }
  }

  private static final String NO_FOLDERS = ", hive_partitioning = false)";

  private static SourceRelation values(String doing, WriteEngine engine, RowSource.Values values)
      throws SQLException {
    List<String> names = values.columns();
    String definitions =
        IntStream.range(0, names.size())
            .mapToObj(i -> "s" + i + " VARCHAR")
            .collect(Collectors.joining(", "));
    if (names.isEmpty()) {
      throw WriteErrors.noColumns(doing);
    }
    engine.execute("CREATE TABLE source_values (" + definitions + ")");
    CharsetEncoder utf8 = StandardCharsets.UTF_8.newEncoder();
    try (DuckDBAppender appender = engine.appender("source_values")) {
      int number = 0;
      for (List<@Nullable String> row : values.rows()) {
        number++;
        if (row.size() != names.size()) {
          throw WriteErrors.rowWidth(doing, number, names.size(), row.size());
        }
        appender.beginRow();
        for (int i = 0; i < names.size(); i++) {
          String text = row.get(i);
          if (text == null) {
            appender.appendNull();
          } else if (utf8.canEncode(text)) {
            appender.append(text);
          } else {
            throw WriteErrors.badText(doing, names.get(i));
          }
        }
        appender.endRow();
      }
    }
    return new SourceRelation("SELECT * FROM source_values", columns(names, "VARCHAR"));
  }

  private static SourceRelation csv(String doing, Path csv) {
    List<String> names = CsvHeader.read(doing, csv);
    String columns =
        IntStream.range(0, names.size())
            .mapToObj(i -> "'s" + i + "': 'VARCHAR'")
            .collect(Collectors.joining(", ", "{", "}"));
    return new SourceRelation(
        "SELECT * FROM read_csv("
            + file(doing, csv)
            + ", auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"',"
            + " nullstr = '', allow_quoted_nulls = false, columns = "
            + columns
            + ")",
        columns(names, "VARCHAR"));
  }

  private static SourceRelation json(String doing, WriteEngine engine, Path json)
      throws SQLException {
    JsonKeys keys = JsonKeys.read(doing, engine, json, file(doing, json));
    if (keys.isEmpty()) {
      return NO_ROWS;
    }
    List<String> names = keys.names();
    if (names.isEmpty()) {
      return new SourceRelation("FROM read_json_objects(" + file(doing, json) + ")", List.of());
    }
    requireDistinct(doing, names);
    // as JSON: the table's columns say what a value is, not what the sample looks like
    String columns =
        names.stream()
            .map(name -> Sql.literal(name) + ": 'JSON'")
            .collect(Collectors.joining(", ", "{", "}"));
    return renamed(
        "SELECT * FROM read_json("
            + file(doing, json)
            + ", records = true, columns = "
            + columns
            + ")",
        names,
        names.stream().map(name -> "JSON").toList());
  }

  private static SourceRelation parquet(String doing, WriteEngine engine, Path parquet)
      throws SQLException {
    String file = file(doing, parquet);
    requireDistinct(doing, ParquetNames.read(engine, file));
    return described(engine, "SELECT * FROM read_parquet(" + file + NO_FOLDERS);
  }

  private static SourceRelation described(WriteEngine engine, String select) throws SQLException {
    List<String> names = new ArrayList<>();
    List<String> types = new ArrayList<>();
    engine.query(
        "DESCRIBE " + select,
        row -> {
          names.add(row.getString("column_name"));
          types.add(row.getString("column_type"));
          return names;
        });
    return renamed(select, names, types);
  }

  private static SourceRelation renamed(String select, List<String> names, List<String> types) {
    List<SourceColumn> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      columns.add(new SourceColumn(names.get(i), "s" + i, types.get(i)));
    }
    String aliases = columns.stream().map(SourceColumn::sql).collect(Collectors.joining(", "));
    return new SourceRelation("SELECT * FROM (" + select + "\n) source(" + aliases + ")", columns);
  }

  private static String oneSelect(
      String doing, WriteEngine engine, RowSource.Select select, LakeNames lake)
      throws SQLException {
    SqlText.requireSelect(doing, engine, select.sql());
    engine.closeWith(lake.define(select.sql()));
    return SqlText.withoutEnd(select.sql());
  }

  private static List<SourceColumn> columns(List<String> names, String type) {
    List<SourceColumn> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      columns.add(new SourceColumn(names.get(i), "s" + i, type));
    }
    return columns;
  }

  /**
   * The one file of that name: DuckDB takes names for patterns, and would read a file {@code
   * a1.csv} for {@code a[1].csv}, and all of {@code *.csv}.
   */
  private static String file(String doing, Path file) {
    if (!Files.isRegularFile(file)) {
      throw WriteErrors.noFile(doing, file);
    }
    String path = file.toAbsolutePath().toString();
    return Sql.literal(
        PATTERN.matcher(path).find() ? PATTERN.matcher(path).replaceAll("[$0]") : path);
  }

  private static void requireDistinct(String doing, List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name.toLowerCase(Locale.ROOT))) {
        throw WriteErrors.duplicateColumn(doing, name);
      }
    }
  }
}
