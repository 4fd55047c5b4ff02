package dev.sluice.activities.landing;

import dev.sluice.activities.storage.DataObjects;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectKeys;
import dev.sluice.activities.storage.ObjectStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The files of a prepared folder and where each of them lands.
 *
 * @param files in the order of their source keys
 * @param leftOut keys of objects that are no data, with the reason; see {@link DataObjects}
 */
public record GenerationFiles(List<LandingFile> files, List<String> leftOut) {

  /** Hex digits that tell apart two source keys which mean the same landed path. */
  private static final int TELL_APART_DIGITS = 8;

  /** Copies the lists. */
  public GenerationFiles {
    files = List.copyOf(files);
    leftOut = List.copyOf(leftOut);
  }

  /** Size of all files in bytes. */
  public long bytes() {
    return files.stream().mapToLong(LandingFile::sizeBytes).sum();
  }

  /**
   * Lists a prepared folder.
   *
   * @param folder the store of the folder; its root is the folder itself
   * @param landingPrefix where the generation lands, relative to the lake's data path
   * @throws LandingException when there is no object, or no Parquet file among them
   */
  public static GenerationFiles list(ObjectStore folder, String landingPrefix) {
    DataObjects objects = DataObjects.classify(folder.list(""));
    if (objects.data().isEmpty()) {
      throw objects.leftOut().isEmpty()
          ? LandingErrors.missingFolder(folder.location().uri())
          : LandingErrors.noParquet(folder.location().uri(), objects.leftOut().size());
    }
    List<LandingFile> files = new ArrayList<>(objects.data().size());
    Set<String> taken = new HashSet<>();
    for (ObjectInfo object : objects.data()) {
      String path = LandedPath.of(object.key());
      if (!taken.add(path)) {
        path = toldApart(path, object.key());
        taken.add(path);
      }
      files.add(
          new LandingFile(
              object.key(),
              ObjectKeys.join(landingPrefix, path),
              object.sizeBytes(),
              object.etag(),
              object.lastModified()));
    }
    List<String> leftOut =
        objects.leftOut().stream()
            .map(
                left ->
                    left.object().key()
                        + " ("
                        + left.reason().name().toLowerCase(Locale.ROOT)
                        + ")")
            .toList();
    return new GenerationFiles(files, leftOut);
  }

  /** {@code p=a b} and {@code p=a%20b} are one folder to a reader but two to the producer. */
  private static String toldApart(String path, String sourceKey) {
    int dot = path.lastIndexOf('.');
    return path.substring(0, dot) + "-" + hash(sourceKey) + path.substring(dot);
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, TELL_APART_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
