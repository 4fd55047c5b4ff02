package dev.sluice.workflows.naming;

import java.util.Objects;

/**
 * A prepared folder's validated name.
 *
 * @param name the bare name, without any slash
 */
public record PreparedFolder(String name) {

  /**
   * Checks the name.
   *
   * @throws InvalidNameException when it is empty, {@code .} or {@code ..}, or contains a slash, a
   *     backslash or a control character
   */
  public PreparedFolder {
    Objects.requireNonNull(name, "name");
    if (name.isEmpty()) {
      throw NamingErrors.badFolder(name, "is empty");
    }
    if (name.equals(".") || name.equals("..")) {
      throw NamingErrors.badFolder(name, "points to another folder");
    }
    if (name.indexOf('/') >= 0 || name.indexOf('\\') >= 0) {
      throw NamingErrors.badFolder(name, "contains a slash");
    }
    if (name.codePoints().anyMatch(Character::isISOControl)) {
      throw NamingErrors.badFolder(name, "contains a control character");
    }
  }

  /** Returns the generation's token. */
  public GenerationToken generation() {
    return GenerationToken.ofFolder(name);
  }
}
