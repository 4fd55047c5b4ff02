package dev.sluice.activities.jobs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes text fit to be stored and shown: no secret, no NUL character (PostgreSQL refuses it), at
 * most {@link #MAX_LENGTH} characters. Immutable.
 */
public final class ErrorText {
  /** Longest text that is stored with an attempt, in characters. */
  public static final int MAX_LENGTH = 2000;

  /** What stands for a secret. */
  public static final String REDACTED = "<redacted>";

  // Below this, replacing every occurrence would hide ordinary words and protect nothing.
  private static final int SHORTEST_SECRET = 6;

  private static final List<Pattern> GIVEAWAYS =
      List.of(
          // user:password@host in a URL
          Pattern.compile("(://[^/\\s:@]*:)[^@\\s/]+(?=@)"),
          // key = value, as in connection strings, settings and signed URLs
          Pattern.compile(
              "(?i)((?:password|passwd|pwd|secret|secret[_-]?key|secret[_-]?access[_-]?key"
                  + "|access[_-]?token|session[_-]?token|security[_-]?token|signature|api[_-]?key"
                  + "|x-amz-signature|x-amz-security-token|x-amz-credential|token)"
                  + "[\"']?\\s*[=:]\\s*[\"']?)(?!<redacted>)[^\\s\"'&;,)]+"),
          // Authorization headers
          Pattern.compile("(?i)((?:bearer|basic)\\s+)(?!<redacted>)[A-Za-z0-9+/=._~-]{8,}"));

  private final List<Pattern> secrets;

  /**
   * Makes a cleaner that knows these secrets literally, besides the usual giveaways.
   *
   * @param secrets values that must never be shown; those shorter than 6 characters are covered by
   *     the giveaways only
   */
  public ErrorText(List<String> secrets) {
    List<String> longestFirst = new ArrayList<>(secrets);
    longestFirst.sort(Comparator.comparingInt(String::length).reversed());
    this.secrets =
        longestFirst.stream()
            .filter(secret -> secret.length() >= SHORTEST_SECRET)
            .map(
                secret ->
                    Pattern.compile(
                        "(?<![A-Za-z0-9_])" + Pattern.quote(secret) + "(?![A-Za-z0-9_])"))
            .toList();
  }

  /** A cleaner that knows no secret literally. */
  public static ErrorText withoutKnownSecrets() {
    return new ErrorText(List.of());
  }

  /** Returns the text redacted and cut; null stays null. */
  public @Nullable String cleanOrNull(@Nullable String text) {
    return text == null ? null : clean(text);
  }

  /** Returns the text redacted, without NUL characters, and cut. */
  public String clean(String text) {
    // Redacting comes before cutting: half a secret at the end would no longer be recognized.
    return cut(redact(text.replace("\0", "")));
  }

  /** Returns the text with every secret replaced; not cut. */
  public String redact(String text) {
    String clean = text;
    for (Pattern secret : secrets) {
      clean = secret.matcher(clean).replaceAll(Matcher.quoteReplacement(REDACTED));
    }
    for (Pattern giveaway : GIVEAWAYS) {
      clean = giveaway.matcher(clean).replaceAll("$1" + Matcher.quoteReplacement(REDACTED));
    }
    return clean;
  }

  private static String cut(String text) {
    if (text.codePointCount(0, text.length()) <= MAX_LENGTH) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, MAX_LENGTH));
  }
}
