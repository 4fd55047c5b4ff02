package dev.sluice.activities.delta;

import dev.sluice.activities.parquet.PercentText;
import dev.sluice.activities.storage.StorageLocation;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Keys of the objects that a log names. A path is relative to the table's folder or an absolute
 * URI, percent-encoded once (Delta protocol, "Add File and Remove File"). Immutable and
 * thread-safe.
 */
final class DeltaPaths {

  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");
  private static final int ENCODED_UUID_LENGTH = 20;

  /** What the same bucket is called by Hadoop's file systems. */
  private static final List<String> S3_NAMES = List.of("s3a://", "s3n://");

  private final StorageLocation table;

  DeltaPaths(StorageLocation table) {
    this.table = table;
  }

  /** The key of a data file. */
  String file(String path) {
    return key(path, "the data file");
  }

  /** The key of a deletion vector's object that the log names by its path. */
  String vectorByPath(String path) {
    return key(path, "the deletion vector");
  }

  /**
   * The key of a deletion vector's object that the log names by an optional prefix and a UUID in
   * Z85.
   */
  String vectorByUuid(String file, String encoded) {
    int prefix = encoded.length() - ENCODED_UUID_LENGTH;
    Optional<byte[]> bytes =
        prefix < 0 ? Optional.empty() : Z85.decode(encoded.substring(prefix), 16);
    if (bytes.isEmpty()) {
      throw DeltaErrors.badEntry(
          table, file, "its deletion vector has the bad name '" + encoded + "'", null);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes.get());
    String name = "deletion_vector_%s.bin".formatted(new UUID(buffer.getLong(), buffer.getLong()));
    return prefix == 0 ? name : encoded.substring(0, prefix) + "/" + name;
  }

  private String key(String path, String what) {
    String decoded = decoded(path);
    String relative = decoded;
    if (path.startsWith("/") || SCHEME.matcher(path).matches()) {
      relative =
          table
              .keyOf(plainAddress(decoded))
              .orElseThrow(() -> DeltaErrors.outsideTable(table, path, what));
    }
    for (String segment : relative.split("/", -1)) {
      if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
        throw DeltaErrors.badPath(
            table, path, "it holds an empty segment or one that leads elsewhere");
      }
    }
    return relative;
  }

  private String decoded(String path) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(PercentText.decode(path)))
          .toString();
    } catch (CharacterCodingException e) {
      throw DeltaErrors.badPath(table, path, "its percent-encoded bytes are no UTF-8");
    }
  }

  /** {@code file:/x} and {@code file:///x} are one file; so are one object's names in Hadoop. */
  private static String plainAddress(String address) {
    for (String name : S3_NAMES) {
      if (address.startsWith(name)) {
        return StorageLocation.S3_SCHEME + address.substring(name.length());
      }
    }
    return address.startsWith("file:/") && !address.startsWith(StorageLocation.FILE_SCHEME)
        ? address.substring("file:".length())
        : address;
  }
}
