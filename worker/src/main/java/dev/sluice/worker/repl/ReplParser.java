package dev.sluice.worker.repl;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** Tells JLine where a line's words are, and that a line with an open end goes on in the next. */
final class ReplParser implements Parser {

  /** At the end of a line it continues it. */
  static final String CONTINUED = "\\";

  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    if (context == ParseContext.ACCEPT_LINE || context == ParseContext.UNSPECIFIED) {
      requireWhole(line);
    }
    String before = line.substring(0, cursor);
    LineWords parsed = LineWords.of(before);
    List<String> words = new ArrayList<>(parsed.words());
    if (!parsed.inWord()) {
      words.add("");
    }
    return new UpToCursor(words, line, cursor, cursor - parsed.begin());
  }

  /** What stands before the cursor counts: the last word there is the one that is completed. */
  private record UpToCursor(List<String> words, String line, int cursor, int rawWordLength)
      implements CompletingParsedLine {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.:-]+");

    /** A name that would fall apart is put in double quotes, as in SQL. */
    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
      return PLAIN.matcher(candidate).matches()
          ? candidate
          : "\"" + candidate.toString().replace("\"", "\"\"") + "\"";
    }

    @Override
    public int rawWordCursor() {
      return rawWordLength;
    }

    @Override
    public String word() {
      return words.get(wordIndex());
    }

    @Override
    public int wordCursor() {
      return word().length();
    }

    @Override
    public int wordIndex() {
      return words.size() - 1;
    }
  }

  private static void requireWhole(String line) {
    if (line.endsWith(CONTINUED)) {
      throw new EOFError(-1, line.length(), "the line goes on", "next line");
    }
    if (LineWords.of(line).open()) {
      throw new EOFError(-1, line.length(), "a quote is open", "end of quote");
    }
  }

  /** A line as it was typed, with the marks of its continuations taken out. */
  static String joined(String line) {
    return line.replace(CONTINUED + "\n", " ");
  }
}
