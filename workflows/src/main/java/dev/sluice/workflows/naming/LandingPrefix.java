package dev.sluice.workflows.naming;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Where a generation's files lie below the lake's data path: {@code
 * <schema>/<table>/_imports/<source schema id>/<job id>/<generation token>/}.
 *
 * @param value the prefix, relative to the data path, with a slash at its end and none in front
 */
public record LandingPrefix(String value) {
  private static final Pattern SOURCE_SCHEMA_ID = Pattern.compile("[A-Za-z0-9_-]{1,100}");

  /** Checks the prefix's form. */
  public LandingPrefix {
    Objects.requireNonNull(value, "value");
    if (value.startsWith("/") || !value.endsWith("/")) {
      throw NamingErrors.badRelativePath(value, "must end in a slash and not begin with one");
    }
  }

  /**
   * Returns the prefix of a generation.
   *
   * @throws InvalidNameException when the source schema id or the job id cannot be a path segment
   */
  public static LandingPrefix of(
      String schema,
      String table,
      String sourceSchemaId,
      String jobId,
      GenerationToken generation) {
    requireSourceSchemaId(sourceSchemaId);
    return new LandingPrefix(
        String.join(
                "/",
                schema,
                table,
                "_imports",
                sourceSchemaId,
                JobPath.segment(jobId),
                generation.value())
            + "/");
  }

  /** Refuses an id that cannot be a path segment. */
  static void requireSourceSchemaId(String sourceSchemaId) {
    if (!SOURCE_SCHEMA_ID.matcher(sourceSchemaId).matches()) {
      throw NamingErrors.badSourceSchemaId(sourceSchemaId);
    }
  }

  /**
   * Returns the key of a file below this prefix; the relative path is kept as it is, so that Hive
   * folders survive.
   *
   * @throws InvalidNameException when the path is empty, absolute, or has an empty, {@code .} or
   *     {@code ..} segment
   */
  public String key(String relativePath) {
    if (relativePath.isEmpty()) {
      throw NamingErrors.badRelativePath(relativePath, "is empty");
    }
    for (String segment : relativePath.split("/", -1)) {
      if (segment.isEmpty()) {
        throw NamingErrors.badRelativePath(relativePath, "has an empty segment");
      }
      if (segment.equals(".") || segment.equals("..")) {
        throw NamingErrors.badRelativePath(relativePath, "has the segment " + segment);
      }
    }
    return value + relativePath;
  }

  @Override
  public String toString() {
    return value;
  }
}
