package dev.sluice.activities.query;

import java.util.Collection;
import java.util.stream.Collectors;

/** Quoting for generated DuckDB SQL. Every name and every text goes through here. */
final class Sql {

  private Sql() {}

  static String identifier(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** A list of text literals. */
  static String literals(Collection<String> texts) {
    return texts.stream().map(Sql::literal).collect(Collectors.joining(", ", "[", "]"));
  }

  static String cast(String expression, String type) {
    return "CAST(" + expression + " AS " + type + ")";
  }
}
