package dev.sluice.activities.query;

import java.util.Collection;
import java.util.stream.Collectors;

/** Quoting for generated DuckDB SQL. Every name and every text goes through here. */
public final class Sql {

  private Sql() {}

  /** A name, quoted. */
  public static String identifier(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  /** A text, quoted. */
  public static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** A list of text literals. */
  public static String literals(Collection<String> texts) {
    return texts.stream().map(Sql::literal).collect(Collectors.joining(", ", "[", "]"));
  }

  /** A cast that fails where the value does not fit. */
  public static String cast(String expression, String type) {
    return "CAST(" + expression + " AS " + type + ")";
  }
}
