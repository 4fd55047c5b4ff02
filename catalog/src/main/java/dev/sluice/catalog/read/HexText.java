package dev.sluice.catalog.read;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Text of bytes that came from PostgreSQL as hex, which any byte survives. */
final class HexText {

  private static final HexFormat ESCAPED = HexFormat.of().withUpperCase().withPrefix("\\x");

  private HexText() {}

  /** The characters of a string column. */
  static String utf8(String hex) {
    return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
  }

  /** DuckDB's text of a blob, every byte escaped. */
  static String blob(String hex) {
    return ESCAPED.formatHex(HexFormat.of().parseHex(hex));
  }
}
