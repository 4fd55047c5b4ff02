package dev.sluice.activities.storage;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a store's root is: a bucket and prefix, or a local directory. A final slash makes no
 * difference when a location is parsed or resolved, and {@link #uri()} always ends with exactly
 * one. Text is taken literally, nothing is percent-decoded, as DuckDB does with the same text.
 */
public sealed interface StorageLocation permits StorageLocation.S3, StorageLocation.Local {

  /** Scheme of every S3 location; others (s3a, s3n) are refused because DuckDB's secrets differ. */
  String S3_SCHEME = "s3://";

  /** Optional scheme of a local location. */
  String FILE_SCHEME = "file://";

  /**
   * Parses {@code s3://bucket}, {@code s3://bucket/prefix/}, {@code file:///directory} or a plain
   * path (relative ones are resolved against the working directory).
   *
   * @throws StorageException of kind INVALID_KEY for anything else, with the reason
   */
  static StorageLocation parse(String text) {
    if (text.isBlank()) {
      throw StorageErrors.invalidLocation(text, "it is empty");
    }
    if (text.startsWith(S3_SCHEME)) {
      return S3.parse(text);
    }
    if (text.startsWith(FILE_SCHEME)) {
      return Local.parse(text, text.substring(FILE_SCHEME.length()));
    }
    int scheme = text.indexOf("://");
    if (scheme > 0) {
      throw StorageErrors.invalidLocation(
          text, "the scheme " + text.substring(0, scheme) + " is not known");
    }
    return Local.parse(text, text);
  }

  /** The root as text with exactly one final slash; local roots as an absolute path. */
  String uri();

  /**
   * The text under which DuckDB and a catalog know the object with this key; nothing is encoded.
   */
  default String uri(String key) {
    return uri() + key;
  }

  /** The key of an absolute address below this root, or empty when it lies elsewhere. */
  default Optional<String> keyOf(String address) {
    String absolute =
        address.startsWith(FILE_SCHEME) ? address.substring(FILE_SCHEME.length()) : address;
    return absolute.startsWith(uri()) && absolute.length() > uri().length()
        ? Optional.of(absolute.substring(uri().length()))
        : Optional.empty();
  }

  /**
   * The location below this one; a final slash of {@code relative} makes no difference, an empty
   * {@code relative} is this location.
   *
   * @throws StorageException of kind INVALID_KEY when it would leave this location
   */
  StorageLocation resolve(String relative);

  /**
   * A bucket and a prefix in it.
   *
   * @param bucket the bucket's name, 3 to 63 characters
   * @param prefix empty for the whole bucket, else it ends with exactly one slash
   */
  record S3(String bucket, String prefix) implements StorageLocation {

    private static final String BUCKET_PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]";

    /** Accepts the prefix with or without its final slash. */
    public S3 {
      if (!bucket.matches(BUCKET_PATTERN)) {
        throw StorageErrors.invalidLocation(
            S3_SCHEME + bucket + "/" + prefix, "'" + bucket + "' is not the name of a bucket");
      }
      String stripped = ObjectKeys.stripTrailingSlash(prefix);
      prefix = stripped.isEmpty() ? "" : ObjectKeys.requireWritable(stripped) + "/";
    }

    private static S3 parse(String text) {
      String path = text.substring(S3_SCHEME.length());
      int slash = path.indexOf('/');
      return slash < 0
          ? new S3(path, "")
          : new S3(path.substring(0, slash), path.substring(slash + 1));
    }

    @Override
    public String uri() {
      return S3_SCHEME + bucket + "/" + prefix;
    }

    @Override
    public S3 resolve(String relative) {
      String child = ObjectKeys.stripTrailingSlash(relative);
      return child.isEmpty() ? this : new S3(bucket, prefix + ObjectKeys.requireWritable(child));
    }

    @Override
    public String toString() {
      return uri();
    }
  }

  /**
   * A local directory, which need not exist yet.
   *
   * @param directory absolute and normalized
   */
  record Local(Path directory) implements StorageLocation {

    /** Makes the directory absolute. */
    public Local {
      directory = directory.toAbsolutePath().normalize();
    }

    private static Local parse(String text, String path) {
      Path directory;
      try {
        directory = Path.of(path);
      } catch (java.nio.file.InvalidPathException e) {
        throw StorageErrors.invalidLocation(text, "it is not a path: " + e.getReason());
      }
      for (Path segment : directory) {
        if (segment.toString().equals("..")) {
          throw StorageErrors.invalidLocation(text, "it holds the segment '..'");
        }
      }
      return new Local(directory);
    }

    @Override
    public String uri() {
      String path = directory.toString();
      return path.endsWith("/") ? path : path + "/";
    }

    @Override
    public Local resolve(String relative) {
      String child = ObjectKeys.stripTrailingSlash(relative);
      return child.isEmpty()
          ? this
          : new Local(directory.resolve(ObjectKeys.requireWritable(child)));
    }

    @Override
    public String toString() {
      return uri();
    }
  }
}
