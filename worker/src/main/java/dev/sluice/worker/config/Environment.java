package dev.sluice.worker.config;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The environment variables; an empty one counts as unset. Immutable. */
final class Environment {
  private static final String PREFIX = "SLUICE_";

  private final Map<String, String> variables;

  Environment(Map<String, String> variables) {
    this.variables = Map.copyOf(variables);
  }

  /** The variable that stands for a key. */
  static String variable(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  Optional<String> ofKey(String key) {
    return named(variable(key));
  }

  Optional<String> named(String variable) {
    return Optional.ofNullable(variables.get(variable)).filter(value -> !value.isEmpty());
  }

  /** The set variables whose names begin so, sorted. */
  List<String> beginningWith(String prefix) {
    return variables.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix) && !entry.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /**
   * Refuses variables that look like keys of one of these sections and are none. Others that begin
   * with {@code SLUICE_} belong to the launcher and the tests.
   *
   * @throws ConfigurationException naming the variable and the nearest known one
   */
  void requireAllKnown(Collection<String> keys, Collection<String> sections) {
    Set<String> known =
        keys.stream().map(Environment::variable).collect(Collectors.toCollection(TreeSet::new));
    for (String section : sections) {
      for (String variable : beginningWith(variable(section) + "_")) {
        if (!known.contains(variable)) {
          throw ConfigErrors.unknownVariable(variable, known);
        }
      }
    }
  }
}
