package dev.sluice.worker.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.Map;

/** Reads YAML (and JSON, which is YAML). */
final class YamlText {
  private static final YAMLMapper YAML = new YAMLMapper();

  static {
    YAML.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
  }

  private YamlText() {}

  /** Returns the keys and values of a document; an empty one has none. */
  static Map<String, Object> parse(String text) throws IOException {
    JsonNode document = YAML.readTree(text);
    if (document == null || document.isMissingNode() || document.isNull()) {
      return Map.of();
    }
    return YAML.convertValue(document, new TypeReference<Map<String, Object>>() {});
  }

  /** The same failure with the place, and without any of the text. */
  static IOException withoutSource(JsonProcessingException failure) {
    JsonLocation at = failure.getLocation();
    return new IOException(
        at == null
            ? "it is no YAML"
            : "it is no YAML at line " + at.getLineNr() + ", column " + at.getColumnNr());
  }
}
