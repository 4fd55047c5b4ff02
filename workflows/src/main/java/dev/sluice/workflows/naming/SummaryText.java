package dev.sluice.workflows.naming;

import java.nio.charset.StandardCharsets;

/** Lines that the Temporal UI shows beside a workflow, an activity or a timer. */
public final class SummaryText {

  /** Temporal takes summaries of 200 bytes, and a server may stall a task with a longer one. */
  static final int MAX_BYTES = 200;

  private static final String CUT = "…";

  private SummaryText() {}

  /** Returns the text in one line, cut between two characters to what Temporal takes. */
  public static String line(String text) {
    String line = text.replaceAll("[\\r\\n]+", " ");
    if (bytes(line) <= MAX_BYTES) {
      return line;
    }
    StringBuilder kept = new StringBuilder();
    int room = MAX_BYTES - bytes(CUT);
    for (int at = 0; at < line.length(); ) {
      String character = Character.toString(line.codePointAt(at));
      room -= bytes(character);
      if (room < 0) {
        break;
      }
      kept.append(character);
      at += character.length();
    }
    return kept.append(CUT).toString();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
