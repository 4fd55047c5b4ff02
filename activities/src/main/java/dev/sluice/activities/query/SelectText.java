package dev.sluice.activities.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * One SELECT, as DuckDB's own parser understands it.
 *
 * @param sql the query in DuckDB's words, without comments and semicolons
 * @param references the tables and views that it names, in the order it names them
 */
record SelectText(String sql, List<Reference> references) {

  /** Functions that give rows and read nothing. */
  private static final Set<String> FUNCTIONS = Set.of("range", "generate_series", "unnest");

  SelectText {
    references = List.copyOf(references);
  }

  /**
   * A name after FROM or JOIN.
   *
   * @param schema empty when it is not qualified
   * @param name the table, view or common table expression
   * @param common whether the query itself has a common table expression of that name
   */
  record Reference(String schema, String name, boolean common) {}

  /**
   * Parses a text; nothing is executed.
   *
   * @throws QueryException when it is not one SELECT, or reads what is not in a lake
   */
  static SelectText parse(Connection connection, String text) throws SQLException {
    String serialized = value(connection, "json_serialize_sql(CAST(? AS VARCHAR))", text);
    JsonNode tree = tree(serialized);
    if (tree.path("error").asBoolean()) {
      throw tree.path("error_type").asText().equals("parser")
          ? QueryErrors.badSql(tree.path("error_message").asText())
          : QueryErrors.notSelect("it is another statement");
    }
    if (tree.path("statements").size() != 1) {
      throw QueryErrors.notSelect("it is " + tree.path("statements").size() + " statements");
    }
    Set<String> common = new HashSet<>();
    commonNames(tree, common);
    List<Reference> references = new ArrayList<>();
    references(tree, common, references);
    return new SelectText(
        value(connection, "json_deserialize_sql(CAST(? AS JSON))", serialized), references);
  }

  private static void commonNames(JsonNode node, Set<String> names) {
    for (JsonNode entry : node.path("cte_map").path("map")) {
      names.add(entry.path("key").asText().toLowerCase(Locale.ROOT));
    }
    node.forEach(child -> commonNames(child, names));
  }

  private static void references(JsonNode node, Set<String> common, List<Reference> references) {
    switch (node.path("type").asText()) {
      case "BASE_TABLE" -> references.add(reference(node, common));
      case "TABLE_FUNCTION" ->
          requireHarmless(node.path("function").path("function_name").asText());
      case "SHOW_REF" -> throw QueryErrors.notSelect("it describes instead of selecting");
      default -> {
        // an expression or a query: what it refers to is below it
      }
    }
    node.forEach(child -> references(child, common, references));
  }

  private static Reference reference(JsonNode node, Set<String> common) {
    String name = node.path("table_name").asText();
    if (!node.path("catalog_name").asText().isEmpty()) {
      throw QueryErrors.notSelect(
          "it names the catalog "
              + node.path("catalog_name").asText()
              + ", and SCHEMA.TABLE is all");
    }
    if (!node.path("at_clause").isNull() && !node.path("at_clause").isMissingNode()) {
      throw QueryErrors.notSelect(
          "it has an AT clause for " + name + ", and one snapshot holds for the whole query");
    }
    String schema = node.path("schema_name").asText();
    return new Reference(
        schema, name, schema.isEmpty() && common.contains(name.toLowerCase(Locale.ROOT)));
  }

  private static void requireHarmless(String function) {
    if (!FUNCTIONS.contains(function.toLowerCase(Locale.ROOT))) {
      throw QueryErrors.notSelect("it reads from the function " + function);
    }
  }

  private static JsonNode tree(String json) {
    try {
      return new ObjectMapper().readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("DuckDB's own JSON does not parse", e);
    }
  }

  private static String value(Connection connection, String expression, String argument)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT " + expression)) {
      statement.setString(1, argument);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getString(1);
      }
    }
  }
}
