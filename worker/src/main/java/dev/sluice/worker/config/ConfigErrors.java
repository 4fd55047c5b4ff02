package dev.sluice.worker.config;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Makes every user-visible error of this package: context: problem; reason; remedy. */
final class ConfigErrors {
  private ConfigErrors() {}

  static ConfigurationException unreadable(Path file, Exception cause) {
    return new ConfigurationException(
        "configuration "
            + file
            + ": the file cannot be read; "
            + firstLine(cause)
            + "; check its path, permissions and YAML syntax",
        cause);
  }

  static ConfigurationException unknownKey(String key, Collection<String> known) {
    return new ConfigurationException(
        "configuration: unknown key "
            + key
            + "; no section has it; "
            + nearest(key, known).map(name -> "did you mean " + name + "?").orElse("remove it"),
        null);
  }

  static ConfigurationException unknownVariable(String variable, Collection<String> known) {
    return new ConfigurationException(
        "configuration: unknown environment variable "
            + variable
            + "; it stands for no key; "
            + nearest(variable, known).map(name -> "did you mean " + name + "?").orElse("unset it"),
        null);
  }

  static ConfigurationException notASection(String key) {
    return new ConfigurationException(
        "configuration: key "
            + key
            + " is not a section; required are keys and values below it; indent them below "
            + key
            + ":",
        null);
  }

  static ConfigurationException notAValue(String key) {
    return new ConfigurationException(
        "configuration: key "
            + key
            + " is not a value; required is one text, number or truth value; write "
            + key
            + ": value",
        null);
  }

  static ConfigurationException missing(String key, String variables) {
    return new ConfigurationException(
        "configuration: key "
            + key
            + " is missing; it has no default here; set it in the file or as "
            + variables,
        null);
  }

  static ConfigurationException wrong(String key, String shown, String required) {
    return new ConfigurationException(
        "configuration: key "
            + key
            + " has a wrong value; required is "
            + required
            + ", got "
            + shown
            + "; correct it",
        null);
  }

  static ConfigurationException badQuery(String key, String reason) {
    return new ConfigurationException(
        "configuration: key " + key + " is no query that can be run; " + reason + "; correct it",
        null);
  }

  static ConfigurationException exclusive(String key, String other) {
    return new ConfigurationException(
        "configuration: keys "
            + key
            + " and "
            + other
            + " exclude each other; both say the same thing; remove one",
        null);
  }

  static ConfigurationException insecure(String key, String shown) {
    return new ConfigurationException(
        "configuration: key "
            + key
            + " is "
            + shown
            + "; outside development connections are encrypted; use require, verify-ca or"
            + " verify-full",
        null);
  }

  static ConfigurationException noSuchLake(String key, String lake, Collection<String> known) {
    return new ConfigurationException(
        "configuration: key "
            + key
            + " names lake "
            + lake
            + "; section lakes has "
            + String.join(", ", known)
            + "; add the lake or correct the name",
        null);
  }

  static ConfigurationException noSuchTeam(String key, long team) {
    return new ConfigurationException(
        "configuration: key "
            + key
            + " names team "
            + team
            + "; section teams has no such team; add the team or correct the number",
        null);
  }

  static ConfigurationException noSuchSource(String name, Collection<String> known) {
    return new ConfigurationException(
        "configuration: there is no source "
            + name
            + "; section sources has "
            + (known.isEmpty() ? "none" : String.join(", ", known))
            + "; add the source or correct the name",
        null);
  }

  static ConfigurationException sameTable(String table, String first, String second) {
    return new ConfigurationException(
        "configuration: table "
            + table
            + " has two owners; sources."
            + first
            + " and sources."
            + second
            + " get the same name; give one of the two another prefix or table",
        null);
  }

  static ConfigurationException lakesOverlap(
      String key, String value, String first, String second) {
    return new ConfigurationException(
        "configuration: lakes."
            + second
            + " has the "
            + key
            + " of lakes."
            + first
            + ", "
            + value
            + "; what cleans one lake would destroy the other; give each its own",
        null);
  }

  static ConfigurationException sameSource(String source, String first, String second) {
    return new ConfigurationException(
        "configuration: "
            + source
            + " is configured twice; sources."
            + first
            + " and sources."
            + second
            + " have the same team and id; remove one",
        null);
  }

  static ConfigurationException unknownOptions(String name, Collection<String> known) {
    return new ConfigurationException(
        "configuration: a trigger asks for options "
            + name
            + "; section options has "
            + (known.isEmpty() ? "none" : String.join(", ", known))
            + "; add them or correct the trigger",
        null);
  }

  /** Finds the known name that needs the fewest edits, if it is near enough to be meant. */
  static Optional<String> nearest(String name, Collection<String> known) {
    int furthest = Math.max(2, name.length() / 3);
    return known.stream()
        .min(Comparator.comparingInt((String each) -> distance(name, each)).thenComparing(s -> s))
        .filter(each -> distance(name, each) <= furthest);
  }

  private static int distance(String left, String right) {
    int[] before = new int[right.length() + 1];
    for (int column = 0; column < before.length; column++) {
      before[column] = column;
    }
    for (int row = 1; row <= left.length(); row++) {
      int[] now = new int[right.length() + 1];
      now[0] = row;
      for (int column = 1; column < now.length; column++) {
        int change = left.charAt(row - 1) == right.charAt(column - 1) ? 0 : 1;
        now[column] =
            Math.min(Math.min(now[column - 1], before[column]) + 1, before[column - 1] + change);
      }
      before = now;
    }
    return before[right.length()];
  }

  private static String firstLine(Exception cause) {
    String message = cause.getMessage();
    return message == null
        ? cause.getClass().getSimpleName()
        : message.lines().findFirst().orElse("").strip();
  }
}
