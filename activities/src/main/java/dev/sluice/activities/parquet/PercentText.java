package dev.sluice.activities.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Percent-encoded text of paths, decoded as DuckDB does it. The one place that does: what a value
 * means must not depend on who reads it.
 */
public final class PercentText {

  private PercentText() {}

  /**
   * Returns the bytes that the text stands for. A {@code %} without two hex digits stands for
   * itself, and {@code +} is a plus. The bytes need not be UTF-8.
   */
  public static byte[] decode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream(bytes.length);
    int at = 0;
    while (at < bytes.length) {
      if (bytes[at] == '%'
          && at + 2 < bytes.length
          && HexFormat.isHexDigit(bytes[at + 1])
          && HexFormat.isHexDigit(bytes[at + 2])) {
        decoded.write(
            HexFormat.fromHexDigit(bytes[at + 1]) * 16 + HexFormat.fromHexDigit(bytes[at + 2]));
        at += 3;
      } else {
        decoded.write(bytes[at]);
        at++;
      }
    }
    return decoded.toByteArray();
  }
}
