package dev.sluice.activities.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * One SELECT with relations as {@code {name}} and parameters as {@code $name}. Relations become
 * identifiers; parameters are bound and never pasted. What stands in quotes or comments is text.
 * Immutable.
 */
public final class SqlTemplate {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String text;
  private final List<Piece> pieces;

  private SqlTemplate(String text, List<Piece> pieces) {
    this.text = text;
    this.pieces = List.copyOf(pieces);
  }

  /** A piece of the text. */
  private sealed interface Piece {
    record Plain(String sql) implements Piece {}

    record Relation(String name) implements Piece {}

    record Parameter(String name) implements Piece {}
  }

  /**
   * Parses a template.
   *
   * @param knownRelations the relations it may name
   * @param knownParameters the parameters it may name
   * @throws IllegalArgumentException with the reason, when it is not one SELECT that DuckDB can
   *     parse, or names something that is not known
   */
  public static SqlTemplate parse(
      String text, Set<String> knownRelations, Set<String> knownParameters) {
    SqlTemplate template = new SqlTemplate(text, pieces(text));
    requireKnown("relation", template.relations(), knownRelations);
    requireKnown("parameter", template.parameters(), knownParameters);
    template.requireOneSelect();
    return template;
  }

  private static void requireKnown(String kind, Set<String> used, Set<String> known) {
    for (String name : used) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "%s %s is not known; known are %s"
                .formatted(kind, name, String.join(", ", new TreeSet<>(known))));
      }
    }
  }

  /** The relations it names. */
  public Set<String> relations() {
    Set<String> names = new LinkedHashSet<>();
    for (Piece piece : pieces) {
      if (piece instanceof Piece.Relation relation) {
        names.add(relation.name());
      }
    }
    return names;
  }

  /** The parameters it names, in the order in which they are bound. */
  public Set<String> parameters() {
    Set<String> names = new LinkedHashSet<>();
    for (Piece piece : pieces) {
      if (piece instanceof Piece.Parameter parameter) {
        names.add(parameter.name());
      }
    }
    return names;
  }

  /** The text with relations in place and parameters by name. */
  public String rendered(UnaryOperator<String> relations) {
    return sql(relations, name -> "$" + name);
  }

  /** The text as it is prepared: parameters by their number. */
  String prepared(UnaryOperator<String> relations) {
    List<String> order = List.copyOf(parameters());
    return sql(relations, name -> "$" + (order.indexOf(name) + 1));
  }

  private String sql(UnaryOperator<String> relations, UnaryOperator<String> parameters) {
    StringBuilder sql = new StringBuilder();
    for (Piece piece : pieces) {
      sql.append(
          switch (piece) {
            case Piece.Plain(String plain) -> plain;
            case Piece.Relation(String name) -> Sql.identifier(relations.apply(name));
            case Piece.Parameter(String name) -> parameters.apply(name);
          });
    }
    return sql.toString();
  }

  @Override
  public String toString() {
    return text;
  }

  /** DuckDB's own parser decides; it also finds parameters that the pieces would have missed. */
  private void requireOneSelect() {
    JsonNode parsed = parsed(prepared(UnaryOperator.identity()));
    if (parsed.get("error").asBoolean()) {
      throw new IllegalArgumentException(
          parsed.get("error_message").asText().lines().findFirst().orElse("it is no SQL"));
    }
    if (parsed.get("statements").size() != 1) {
      throw new IllegalArgumentException(
          "it holds %d statements; required is one".formatted(parsed.get("statements").size()));
    }
    Set<String> found = new TreeSet<>();
    for (JsonNode parameter : parsed.get("statements").get(0).path("named_param_map")) {
      found.add(parameter.get("key").asText());
    }
    Set<String> expected = new TreeSet<>();
    for (int i = 1; i <= parameters().size(); i++) {
      expected.add(Integer.toString(i));
    }
    if (!found.equals(expected)) {
      throw new IllegalArgumentException(
          "its parameters cannot be told; write them as $name outside of quotes");
    }
  }

  private static JsonNode parsed(String sql) {
    try (Connection duckDb = ScanEngine.open();
        PreparedStatement statement =
            duckDb.prepareStatement("SELECT json_serialize_sql(CAST(? AS VARCHAR))")) {
      statement.setString(1, sql);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return JSON.readTree(result.getString(1));
      }
    } catch (SQLException | JsonProcessingException e) {
      throw new IllegalArgumentException("DuckDB cannot parse it; " + e.getMessage(), e);
    }
  }

  private static List<Piece> pieces(String text) {
    List<Piece> pieces = new ArrayList<>();
    StringBuilder plain = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int quotedUntil = SqlQuotes.end(text, at);
      if (quotedUntil > at) {
        plain.append(text, at, quotedUntil);
        at = quotedUntil;
        continue;
      }
      char c = text.charAt(at);
      int end = nameEnd(text, at + 1);
      if (c == '{' && end > at + 1 && end < text.length() && text.charAt(end) == '}') {
        pieces.add(new Piece.Plain(plain.toString()));
        pieces.add(new Piece.Relation(text.substring(at + 1, end)));
        plain.setLength(0);
        at = end + 1;
      } else if (c == '$' && end > at + 1 && !isName(before(text, at))) {
        pieces.add(new Piece.Plain(plain.toString()));
        pieces.add(new Piece.Parameter(text.substring(at + 1, end)));
        plain.setLength(0);
        at = end;
      } else {
        plain.append(c);
        at++;
      }
    }
    pieces.add(new Piece.Plain(plain.toString()));
    return pieces;
  }

  private static char before(String text, int at) {
    return at == 0 ? ' ' : text.charAt(at - 1);
  }

  private static int nameEnd(String text, int start) {
    int end = start;
    while (end < text.length() && isName(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isName(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
