package dev.sluice.worker.repl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The prompt on a terminal of our own, and scripts; commands only note their words. */
class ReplTest {

  @TempDir private Path folder;

  private final List<List<String>> carriedOut = new ArrayList<>();

  private final Commands commands =
      new Commands() {
        @Override
        public List<String> names() {
          return List.of("scan", "snapshots", "fail", "long");
        }

        @Override
        public int run(List<String> words, PrintWriter out, PrintWriter err) {
          carriedOut.add(words);
          int lines = words.get(0).equals("long") ? 100 : 1;
          for (int i = 1; i <= lines; i++) {
            out.println("line " + i + " of " + words.get(0));
          }
          out.flush();
          return words.get(0).equals("fail") ? 3 : 0;
        }
      };

  private String type(String keys) throws IOException {
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    try (Terminal terminal =
        new ExternalTerminal(
            "test",
            "xterm",
            new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)),
            screen,
            StandardCharsets.UTF_8)) {
      terminal.setSize(new Size(80, 24));
      new Repl(commands)
          .interactive(
              terminal,
              folder.resolve("history"),
              () -> {
                throw new IllegalStateException("no lake here");
              });
    }
    return screen.toString(StandardCharsets.UTF_8);
  }

  private int script(String text, StringWriter err) throws IOException {
    PrintWriter out = new PrintWriter(new StringWriter());
    return new Repl(commands)
        .script(new BufferedReader(new StringReader(text)), out, new PrintWriter(err));
  }

  @Test
  void linesAreCarriedOutUntilExitAndKeptForTheNextTime() throws IOException {
    String screen = type("scan s t where a = 'x y'\r\rfail now\rexit\rscan s never\r");

    assertThat(carriedOut)
        .containsExactly(
            List.of("scan", "s", "t", "where", "a", "=", "'x y'"), List.of("fail", "now"));
    assertThat(screen).contains("line 1 of scan");
    assertThat(Files.readString(folder.resolve("history"))).contains("scan s t where a = 'x y'");
  }

  @Test
  void aLineGoesOnAfterABackslashAndInAQuote() throws IOException {
    type("scan s \\\rt\rscan 'a\rb'\rexit\r");

    assertThat(carriedOut).containsExactly(List.of("scan", "s", "t"), List.of("scan", "a\nb"));
  }

  @Test
  void aCommandIsCompletedAndAnUnreachableLakeCompletesNothing() throws IOException {
    type("sna\t\rscan \t\rexit\r");

    assertThat(carriedOut).containsExactly(List.of("snapshots"), List.of("scan"));
  }

  @Test
  void longOutputStopsAfterAScreenAndEndsOnDemand() throws IOException {
    String screen = type("long\r" + " " + "q" + "exit\r");

    assertThat(screen).contains("line 46 of long").contains("-- more");
    assertThat(screen).doesNotContain("line 47 of long").doesNotContain("line 100 of long");
  }

  @Test
  void aScriptEndsWithTheFirstCommandThatFails() throws IOException {
    StringWriter err = new StringWriter();

    assertThat(script("# what follows\nscan s t\n\nscan \\\n  s u\nfail\nscan never\n", err))
        .isEqualTo(3);
    assertThat(carriedOut)
        .containsExactly(List.of("scan", "s", "t"), List.of("scan", "s", "u"), List.of("fail"));
    assertThat(err.toString()).contains("ends at line 6");
  }

  @Test
  void aScriptWithoutItsEndIsNotCarriedOutHalf() throws IOException {
    StringWriter err = new StringWriter();

    assertThat(script("scan s t\nscan 'open\n", err)).isEqualTo(2);
    assertThat(carriedOut).containsExactly(List.of("scan", "s", "t"));
    assertThat(err.toString()).contains("at line 2, has no end");
  }
}
