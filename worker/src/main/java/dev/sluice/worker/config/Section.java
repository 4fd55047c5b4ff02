package dev.sluice.worker.config;

import dev.sluice.activities.storage.Secret;
import java.net.URI;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One section while it is being read. Every key that is asked for becomes a known one; {@link
 * #requireAllKnown} then refuses the rest. A key's variable is {@code SLUICE_} and its path in
 * capitals with {@code _} for dots and dashes; a variable wins over the file, and an empty one
 * counts as unset. Not thread-safe.
 */
final class Section {
  private final String path;
  private final Map<String, Object> values;
  private final Environment environment;
  private final Set<String> known = new TreeSet<>();
  private final List<Section> below = new ArrayList<>();

  private Section(String path, Map<String, Object> values, Environment environment) {
    this.path = path;
    this.values = values;
    this.environment = environment;
  }

  static Section root(Map<String, Object> values, Environment environment) {
    return new Section("", values, environment);
  }

  String path(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** The section of that name; empty when the file has none. */
  Section section(String key) {
    known.add(path(key));
    Section section = new Section(path(key), mapAt(key), environment);
    below.add(section);
    return section;
  }

  /** The same section with other values, as those of a file that it names. */
  Section beside(Map<String, Object> otherValues) {
    Section section = new Section(path, otherValues, environment);
    below.add(section);
    return section;
  }

  /** The names below this section, in the file's order. */
  List<String> names() {
    return List.copyOf(values.keySet());
  }

  Optional<String> text(String key) {
    known.add(path(key));
    Optional<String> variable = environment.ofKey(path(key));
    if (variable.isPresent()) {
      return variable;
    }
    Object value = values.get(key);
    if (value instanceof Map || value instanceof List) {
      throw ConfigErrors.notAValue(path(key));
    }
    return Optional.ofNullable(value).map(Object::toString).filter(text -> !text.isEmpty());
  }

  String requiredText(String key) {
    return text(key)
        .orElseThrow(() -> ConfigErrors.missing(path(key), Environment.variable(path(key))));
  }

  Optional<Secret> secret(String key) {
    return text(key).map(Secret::of);
  }

  int count(String key, int whenAbsent) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return whenAbsent;
    }
    return Math.toIntExact(number(key, text.get(), 1, Integer.MAX_VALUE));
  }

  long requiredNumber(String key) {
    return number(key, requiredText(key), 0, Long.MAX_VALUE);
  }

  <E extends Enum<E>> E choice(String key, Class<E> type, E whenAbsent) {
    Optional<String> text = text(key);
    return text.isEmpty() ? whenAbsent : choiceOf(path(key), text.get(), type);
  }

  /** A truth value; empty when there is none. */
  Optional<Boolean> truth(String key) {
    return text(key)
        .map(
            text ->
                switch (text.strip().toLowerCase(Locale.ROOT)) {
                  case "true" -> true;
                  case "false" -> false;
                  default -> throw ConfigErrors.wrong(path(key), text, "true or false");
                });
  }

  /** A list, or the parts of one text between commas; empty when there is none. */
  Optional<List<String>> texts(String key) {
    if (environment.ofKey(path(key)).isEmpty() && values.get(key) instanceof List<?> list) {
      known.add(path(key));
      for (Object each : list) {
        if (each == null || each instanceof Map || each instanceof List) {
          throw ConfigErrors.wrong(path(key), String.valueOf(each), "a list of texts");
        }
      }
      return Optional.of(list.stream().map(Object::toString).toList());
    }
    return text(key)
        .map(
            text ->
                Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .filter(each -> !each.isEmpty())
                    .toList());
  }

  Optional<URI> address(String key) {
    return text(key)
        .map(
            text -> {
              try {
                URI address = URI.create(text);
                if (address.getScheme() != null && address.getHost() != null) {
                  return address;
                }
              } catch (IllegalArgumentException e) {
                throw ConfigErrors.wrong(path(key), text, "an address such as http://host:port");
              }
              throw ConfigErrors.wrong(path(key), text, "an address such as http://host:port");
            });
  }

  Optional<Duration> duration(String key) {
    return text(key)
        .map(
            text -> {
              try {
                return Duration.parse(text);
              } catch (DateTimeParseException e) {
                throw ConfigErrors.wrong(path(key), text, "a duration such as PT1H");
              }
            });
  }

  /**
   * Refuses the first key, in the file's order, that nobody asked for.
   *
   * @throws ConfigurationException naming it and the nearest known one
   */
  void requireAllKnown() {
    Set<String> everywhere = allKnown();
    refuseUnknown(everywhere);
  }

  /** Every key asked for in this section and below. */
  Set<String> allKnown() {
    Set<String> all = new TreeSet<>(known);
    below.forEach(section -> all.addAll(section.allKnown()));
    return all;
  }

  private void refuseUnknown(Set<String> everywhere) {
    for (String key : values.keySet()) {
      if (!known.contains(path(key))) {
        throw ConfigErrors.unknownKey(path(key), everywhere);
      }
    }
    below.forEach(section -> section.refuseUnknown(everywhere));
  }

  private long number(String key, String text, long least, long greatest) {
    try {
      long value = Long.parseLong(text.strip());
      if (value >= least && value <= greatest) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw ConfigErrors.wrong(path(key), text, "a whole number from " + least);
    }
    throw ConfigErrors.wrong(path(key), text, "a whole number from " + least);
  }

  private Map<String, Object> mapAt(String key) {
    Object value = values.get(key);
    if (value == null) {
      return Map.of();
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw ConfigErrors.notASection(path(key));
    }
    Map<String, Object> section = new LinkedHashMap<>();
    map.forEach((name, entry) -> section.put(String.valueOf(name), entry));
    return section;
  }

  private static <E extends Enum<E>> E choiceOf(String key, String text, Class<E> type) {
    List<String> words = new ArrayList<>();
    for (E constant : Objects.requireNonNull(type.getEnumConstants())) {
      if (word(constant).equals(text.strip().toLowerCase(Locale.ROOT).replace('_', '-'))) {
        return constant;
      }
      words.add(word(constant));
    }
    throw ConfigErrors.wrong(key, text, "one of " + String.join(", ", words));
  }

  /** How an enum's constant is written in the file. */
  static String word(@Nullable Enum<?> constant) {
    return Objects.requireNonNull(constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
