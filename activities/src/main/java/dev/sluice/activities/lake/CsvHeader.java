package dev.sluice.activities.lake;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The names in the first record of a CSV file (RFC 4180). DuckDB would make names differ that are
 * the same, and guess whether there is a header.
 */
final class CsvHeader {

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private CsvHeader() {}

  static List<String> read(String doing, Path file) {
    if (!Files.isRegularFile(file)) {
      throw WriteErrors.noFile(doing, file);
    }
    List<String> names;
    try (InputStream content = new BufferedInputStream(Files.newInputStream(file))) {
      // decodes strictly: broken UTF-8 is an error, not a replacement character
      String header =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(firstLine(content)))
              .toString();
      names = names(doing, file, header);
    } catch (CharacterCodingException e) {
      throw WriteErrors.badHeader(doing, file, "it is not in UTF-8");
    } catch (IOException e) {
      throw WriteErrors.unreadableFile(doing, file, e);
    }
    if (names.equals(List.of(""))) {
      throw WriteErrors.badHeader(doing, file, "it is empty");
    }
    if (names.contains("")) {
      throw WriteErrors.badHeader(doing, file, "it has a column without a name");
    }
    return names;
  }

  /** The bytes of the first record; neither a quote nor an end of line is part of any other. */
  private static byte[] firstLine(InputStream content) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean quoted = false;
    for (int b = content.read(); b >= 0; b = content.read()) {
      if (!quoted && (b == '\n' || b == '\r')) {
        break;
      }
      quoted ^= b == '"';
      line.write(b);
    }
    return line.toByteArray();
  }

  private static List<String> names(String doing, Path file, String header) {
    String text = header.startsWith(BYTE_ORDER_MARK) ? header.substring(1) : header;
    List<String> names = new ArrayList<>();
    StringBuilder name = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' && quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
        name.append('"');
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        names.add(name.toString());
        name.setLength(0);
      } else {
        name.append(c);
      }
    }
    if (quoted) {
      throw WriteErrors.badHeader(doing, file, "a quote in it is not closed");
    }
    names.add(name.toString());
    return names;
  }
}
