package dev.sluice.worker.repl;

import dev.sluice.catalog.read.CatalogView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;

/** Reads lines and has them carried out, from a person or from a script. */
public final class Repl {

  private static final String PROMPT = "sluice> ";
  private static final String CONTINUATION = "      > ";
  private static final String COMMENT = "#";
  private static final List<String> LEAVING = List.of("exit", "quit");

  private final Commands commands;

  /** A prompt in front of commands. */
  public Repl(Commands commands) {
    this.commands = commands;
  }

  /**
   * Talks with a person until they leave. A command that fails has said so; the next may follow.
   *
   * @param history where lines are kept for the next time
   * @param lake the lake as it is when asked, for completion
   */
  public void interactive(Terminal terminal, Path history, Supplier<CatalogView> lake) {
    LineReader reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("sluice")
            .parser(new ReplParser())
            .completer(new ReplCompleter(commands.names(), lake))
            .variable(LineReader.HISTORY_FILE, history)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, CONTINUATION)
            // an exclamation mark is a part of a column's description, not of a line before
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
    while (true) {
      try {
        List<String> words = words(reader.readLine(PROMPT));
        if (isLeaving(words)) {
          return;
        }
        run(words, terminal);
      } catch (UserInterruptException abandoned) {
        terminal.writer().println("leave with exit, or Ctrl-D");
      } catch (EndOfFileException left) {
        return;
      }
    }
  }

  private void run(List<String> words, Terminal terminal) {
    if (words.isEmpty()) {
      return;
    }
    PrintWriter out = Pager.on(terminal);
    try {
      commands.run(words, out, out);
    } catch (Pager.EnoughSeenException seen) {
      terminal.writer().println();
    }
    terminal.flush();
  }

  /**
   * Carries a script out, a command a line. It ends with the first that fails, as what follows may
   * build on it.
   *
   * @return 0, or the exit code of the command that failed
   * @throws IOException when the script cannot be read
   */
  public int script(BufferedReader script, PrintWriter out, PrintWriter err) throws IOException {
    int number = 0;
    int begin = 1;
    StringBuilder line = new StringBuilder();
    String next;
    while ((next = script.readLine()) != null) {
      number++;
      line.append(line.isEmpty() ? "" : "\n").append(next);
      boolean goesOn = next.endsWith(ReplParser.CONTINUED) || LineWords.of(line.toString()).open();
      if (goesOn) {
        continue;
      }
      List<String> words = words(line.toString());
      if (isLeaving(words)) {
        return 0;
      }
      int code = words.isEmpty() ? 0 : commands.run(words, out, err);
      if (code != 0) {
        err.println("sluice: the script ends at line %d, which failed".formatted(begin));
        err.flush();
        return code;
      }
      line.setLength(0);
      begin = number + 1;
    }
    if (!line.isEmpty()) {
      err.println("sluice: the script's last command, at line %d, has no end".formatted(begin));
      err.flush();
      return 2;
    }
    return 0;
  }

  private static List<String> words(String line) {
    String joined = ReplParser.joined(line);
    return joined.strip().startsWith(COMMENT) ? List.of() : LineWords.of(joined).words();
  }

  private static boolean isLeaving(List<String> words) {
    return words.size() == 1 && LEAVING.contains(words.get(0));
  }
}
