package dev.sluice.activities.landing;

import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.parquet.MatchOptions;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.Table;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What an inspection depends on, as a digest: the versions of the files and where they lie, the
 * columns and the partitioning of the live table with their ids, the options, and how we inspect.
 * Two inspections with the same basis say the same, so that the first can stand for the second.
 */
public final class InspectionBasis {

  /** Of an inspection that is never taken for another one. */
  public static final String NONE = "";

  /** To be raised whenever {@link Inspector} comes to say something else about the same files. */
  private static final String METHOD = "1";

  private InspectionBasis() {}

  /**
   * Makes the digest.
   *
   * @param files by source key
   * @param live the table as it is; empty before the first publication
   */
  public static String of(List<LedgerFile> files, Optional<Table> live, MatchOptions options) {
    MessageDigest digest = sha256();
    add(digest, METHOD);
    add(digest, live.toString());
    add(digest, options.toString());
    for (LedgerFile file : files) {
      add(digest, file.sourceKey());
      add(digest, Long.toString(file.sizeBytes()));
      add(digest, String.valueOf(file.checksum()));
      add(digest, String.valueOf(file.modifiedAt()));
      add(digest, file.landedPath());
      add(digest, file.objectKey());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Makes the digest of what a file of a Delta table is matched with, which is not the version.
   *
   * @param keys the partition keys that its values are for
   */
  static String of(DeltaPlan plan, List<PartitionKey> keys) {
    MessageDigest digest = sha256();
    add(digest, METHOD);
    add(digest, plan.pinnedTo(0).text());
    add(digest, keys.toString());
    return HexFormat.of().formatHex(digest.digest());
  }

  /** With its length, so that no two lists of texts are one. */
  private static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
