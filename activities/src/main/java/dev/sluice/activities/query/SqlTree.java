package dev.sluice.activities.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A text as DuckDB's own parser understands it. Nothing is executed or looked up.
 *
 * @param json what DuckDB gave, for giving it back
 * @param root the same as a tree, with {@code error} true when the text does not parse
 */
public record SqlTree(String json, JsonNode root) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Parses a text.
   *
   * @throws SQLException when DuckDB fails, which is not how it tells of a text that does not parse
   */
  public static SqlTree parse(Connection connection, String text) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT json_serialize_sql(CAST(? AS VARCHAR))")) {
      statement.setString(1, text);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        String json = result.getString(1);
        return new SqlTree(json, JSON.readTree(json));
      }
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("DuckDB's own JSON does not parse", e);
    }
  }

  /** The text in DuckDB's words, without comments and semicolons. */
  String text(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT json_deserialize_sql(CAST(? AS JSON))")) {
      statement.setString(1, json);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getString(1);
      }
    }
  }
}
