package dev.sluice.activities.lake;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.activities.query.SqlTree;
import java.sql.SQLException;

/** Makes sure that SQL text of a caller's is one SELECT or one expression. DuckDB's parser says. */
final class SqlText {

  private SqlText() {}

  static void requireSelect(String doing, WriteEngine engine, String sql) {
    JsonNode parsed = parsed(doing, engine, "SELECT", sql, sql);
    if (parsed.get("statements").size() != 1) {
      throw WriteErrors.notOne(
          doing,
          "SELECT",
          "the SELECT",
          "it holds %d statements".formatted(parsed.get("statements").size()));
    }
  }

  /** An expression over a table's columns, such as a condition. */
  static void requireExpression(String doing, WriteEngine engine, String what, String sql) {
    // without parentheses first: what closes one too early is no expression by itself
    parsed(doing, engine, what, sql, "SELECT " + sql);
    JsonNode parsed = parsed(doing, engine, what, sql, "SELECT (" + sql + "\n)");
    JsonNode statements = parsed.get("statements");
    JsonNode node = statements.size() == 1 ? statements.get(0).get("node") : statements;
    boolean plain =
        node.path("type").asText().equals("SELECT_NODE")
            && node.path("from_table").path("type").asText().equals("EMPTY")
            && node.path("select_list").size() == 1
            && node.path("where_clause").isNull()
            && node.path("modifiers").isEmpty();
    if (!plain) {
      throw WriteErrors.notOne(doing, what, "'" + sql + "'", "it is more than an expression");
    }
  }

  /** The text without the semicolon that people end statements with. */
  static String withoutEnd(String sql) {
    String stripped = sql.strip();
    return stripped.endsWith(";") ? stripped.substring(0, stripped.length() - 1) : stripped;
  }

  private static JsonNode parsed(
      String doing, WriteEngine engine, String what, String shown, String sql) {
    try {
      JsonNode parsed = SqlTree.parse(engine.connection(), sql).root();
      if (parsed.get("error").asBoolean()) {
        String reason = parsed.get("error_message").asText();
        throw WriteErrors.notOne(
            doing, what, "'" + shown + "'", reason.lines().findFirst().orElse("").strip());
      }
      return parsed;
    } catch (SQLException e) {
      throw WriteErrors.badExpression(doing, what, shown, e);
    }
  }
}
