package dev.sluice.activities.landing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** The JSON in which the ledger keeps what only this package reads. */
final class LedgerJson {

  private static final ObjectMapper JSON = new ObjectMapper();

  private LedgerJson() {}

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  static String write(JsonNode node) {
    try {
      return JSON.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values can be written", e);
    }
  }

  static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the ledger holds text that Sluice did not write", e);
    }
  }

  static @Nullable String text(@Nullable JsonNode node) {
    return node == null || node.isNull() ? null : node.asText();
  }

  static @Nullable Long number(@Nullable JsonNode node) {
    return node == null || node.isNull() ? null : Long.valueOf(node.asLong());
  }
}
