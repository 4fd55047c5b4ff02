package dev.sluice.workflows.naming;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Short name of a generation. That of a Delta table's version is {@code v<version>}; that of a
 * prepared folder is made of its name: what follows {@code __query_} when that is digits and
 * perhaps {@code _} with eight hex digits, otherwise the first twelve hex digits of the SHA-256 of
 * the whole name.
 *
 * @param value the token, made of digits, letters and {@code _}
 */
public record GenerationToken(String value) {
  private static final Pattern QUERY = Pattern.compile("__query_([0-9]+(?:_[0-9a-fA-F]{8})?)\\z");
  private static final Pattern DELTA = Pattern.compile("v([0-9]{1,18})");
  private static final int HASH_DIGITS = 12;

  /** Checks that the token is fit for a path. */
  public GenerationToken {
    Objects.requireNonNull(value, "value");
    if (value.isEmpty() || !value.matches("[0-9A-Za-z_]+")) {
      throw NamingErrors.badToken(value);
    }
  }

  /** Returns {@code v<version>}; {@code newest} while no version was pinned. */
  public static GenerationToken ofDelta(@Nullable Long version) {
    return new GenerationToken(version == null ? "newest" : "v" + version);
  }

  /** Finds the version in a token that {@link #ofDelta} made; empty for any other. */
  public static Optional<Long> findDeltaVersion(String token) {
    Matcher version = DELTA.matcher(token);
    return version.matches() ? Optional.of(Long.valueOf(version.group(1))) : Optional.empty();
  }

  /** Returns the token of a folder name; any name has one, also one that is refused later. */
  public static GenerationToken ofFolder(String folderName) {
    Matcher query = QUERY.matcher(folderName);
    return new GenerationToken(query.find() ? query.group(1) : hash(folderName));
  }

  private static String hash(String folderName) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(folderName.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
