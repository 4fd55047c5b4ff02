package dev.sluice.activities.query;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  /** Joins that make no difference to what a condition in WHERE leaves of their rows. */
  private static final Set<String> JOINS = Set.of("INNER", "LEFT", "RIGHT", "OUTER", "FULL");

  private static final Set<String> JOIN_KINDS = Set.of("REGULAR", "CROSS", "NATURAL");

  SelectText {
    references = List.copyOf(references);
  }

  /**
   * A name after FROM or JOIN.
   *
   * @param schema empty when it is not qualified
   * @param name the table, view or common table expression
   * @param common whether the query itself has a common table expression of that name
   * @param condition what the SELECT around it says of its rows; empty when that is nothing
   */
  record Reference(
      String schema, String name, boolean common, Optional<TableCondition> condition) {}

  /** What a query may read besides tables and views of the lake. */
  enum Reads {
    /** Nothing. */
    LAKE_ONLY,
    /** Whatever its DuckDB can read. */
    ANYTHING
  }

  /**
   * Parses a text; nothing is executed.
   *
   * @throws QueryException when it is not one SELECT, or reads what is not in a lake
   */
  static SelectText parse(Connection connection, String text, Reads reads) throws SQLException {
    SqlTree parsed = SqlTree.parse(connection, text);
    JsonNode tree = parsed.root();
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
    IdentityHashMap<JsonNode, TableCondition> conditions = new IdentityHashMap<>();
    conditions(tree, conditions);
    references(tree, new Context(common, conditions, reads), references);
    return new SelectText(parsed.text(connection), references);
  }

  private static void commonNames(JsonNode node, Set<String> names) {
    for (JsonNode entry : node.path("cte_map").path("map")) {
      names.add(entry.path("key").asText().toLowerCase(Locale.ROOT));
    }
    node.forEach(child -> commonNames(child, names));
  }

  /** The condition of each SELECT, at the tables it reads from. */
  private static void conditions(
      JsonNode node, IdentityHashMap<JsonNode, TableCondition> conditions) {
    if (node.path("type").asText().equals("SELECT_NODE")
        && node.path("sample").isNull()
        && node.path("where_clause").isObject()) {
      List<JsonNode> tables = new ArrayList<>();
      if (areJoined(node.path("from_table"), tables)) {
        for (JsonNode table : tables) {
          String alias = table.path("alias").asText();
          conditions.put(
              table,
              new TableCondition(
                  alias.isEmpty() ? table.path("table_name").asText() : alias,
                  tables.size() == 1,
                  node.path("where_clause")));
        }
      }
    }
    node.forEach(child -> conditions(child, conditions));
  }

  /** Whether these are tables whose rows meet by equal columns or conditions only. */
  private static boolean areJoined(JsonNode from, List<JsonNode> tables) {
    if (!from.path("sample").isNull()) {
      return false;
    }
    return switch (from.path("type").asText()) {
      case "BASE_TABLE" -> from.path("column_name_alias").isEmpty() && tables.add(from);
      case "JOIN" ->
          JOINS.contains(from.path("join_type").asText())
              && JOIN_KINDS.contains(from.path("ref_type").asText())
              && areJoined(from.path("left"), tables)
              && areJoined(from.path("right"), tables);
      default -> false;
    };
  }

  private record Context(
      Set<String> common, IdentityHashMap<JsonNode, TableCondition> conditions, Reads reads) {}

  private static void references(JsonNode node, Context context, List<Reference> references) {
    switch (node.path("type").asText()) {
      case "BASE_TABLE" -> reference(node, context).ifPresent(references::add);
      case "TABLE_FUNCTION" ->
          requireHarmless(context, node.path("function").path("function_name").asText());
      case "SHOW_REF" -> {
        if (context.reads() == Reads.LAKE_ONLY) {
          throw QueryErrors.notSelect("it describes instead of selecting");
        }
      }
      default -> {
        // an expression or a query: what it refers to is below it
      }
    }
    node.forEach(child -> references(child, context, references));
  }

  private static Optional<Reference> reference(JsonNode node, Context context) {
    String name = node.path("table_name").asText();
    if (!node.path("catalog_name").asText().isEmpty()) {
      if (context.reads() == Reads.ANYTHING) {
        return Optional.empty();
      }
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
    return Optional.of(
        new Reference(
            schema,
            name,
            schema.isEmpty() && context.common().contains(name.toLowerCase(Locale.ROOT)),
            Optional.ofNullable(context.conditions().get(node))));
  }

  private static void requireHarmless(Context context, String function) {
    if (context.reads() == Reads.LAKE_ONLY
        && !FUNCTIONS.contains(function.toLowerCase(Locale.ROOT))) {
      throw QueryErrors.notSelect("it reads from the function " + function);
    }
  }
}
