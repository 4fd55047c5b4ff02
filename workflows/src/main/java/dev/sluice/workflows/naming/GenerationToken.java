package dev.sluice.workflows.naming;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Short name of a generation, made of its prepared folder's name: what follows {@code __query_}
 * when that is digits and perhaps {@code _} with eight hex digits, otherwise the first twelve hex
 * digits of the SHA-256 of the whole name.
 *
 * @param value the token, made of digits, letters and {@code _}
 */
public record GenerationToken(String value) {
  private static final Pattern QUERY = Pattern.compile("__query_([0-9]+(?:_[0-9a-fA-F]{8})?)\\z");
  private static final int HASH_DIGITS = 12;

  /** Checks that the token is fit for a path. */
  public GenerationToken {
    Objects.requireNonNull(value, "value");
    if (value.isEmpty() || !value.matches("[0-9A-Za-z_]+")) {
      throw NamingErrors.badToken(value);
    }
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
