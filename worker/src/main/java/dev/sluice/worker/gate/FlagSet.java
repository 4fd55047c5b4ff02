package dev.sluice.worker.gate;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The flags of a file, parsed. Immutable. */
final class FlagSet {
  private static final YAMLMapper YAML = new YAMLMapper();

  static {
    YAML.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
  }

  private final JsonNode flags;

  private FlagSet(JsonNode flags) {
    this.flags = flags;
  }

  /** A file that cannot be understood. */
  static final class MalformedFlagsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedFlagsException(String message) {
      super(message);
    }
  }

  static FlagSet parse(String text) {
    JsonNode root;
    try {
      root = YAML.readTree(text);
    } catch (JsonProcessingException e) {
      throw new MalformedFlagsException("the flags are no YAML: " + e.getOriginalMessage());
    }
    if (root == null || root.isMissingNode() || root.isNull()) {
      root = YAML.createObjectNode();
    }
    if (!root.isObject()) {
      throw new MalformedFlagsException("the flags are no map of flag keys");
    }
    return new FlagSet(root);
  }

  /**
   * Finds the answer for a team; empty when the flag or an answer for the team is not there.
   *
   * @throws MalformedFlagsException when what is there is no truth value
   */
  Optional<Boolean> find(String flag, String team) {
    JsonNode node = flags.get(flag);
    if (node == null || node.isNull()) {
      return Optional.empty();
    }
    if (!node.isObject()) {
      throw new MalformedFlagsException("flag " + flag + " is no map of default and teams");
    }
    for (Map.Entry<String, JsonNode> part : node.properties()) {
      if (!part.getKey().equals("default") && !part.getKey().equals("teams")) {
        throw new MalformedFlagsException(
            "flag " + flag + " has an unknown part " + part.getKey() + "; known: default, teams");
      }
    }
    JsonNode ofTeam = node.path("teams").path(team);
    return truth(flag, ofTeam.isMissingNode() ? node.path("default") : ofTeam);
  }

  private static Optional<Boolean> truth(String flag, JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return Optional.empty();
    }
    if (!node.isBoolean()) {
      throw new MalformedFlagsException(
          "flag " + flag + " has a value that is neither true nor false");
    }
    return Optional.of(Objects.requireNonNull(node).booleanValue());
  }
}
