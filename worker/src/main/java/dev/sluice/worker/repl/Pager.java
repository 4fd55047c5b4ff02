package dev.sluice.worker.repl;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.utils.NonBlockingReader;

/**
 * Shows output a screen at a time as it comes, so that any amount can be looked at: Space goes on,
 * Enter shows one more line, q ends it, and with it the command. Not thread-safe.
 */
final class Pager extends Writer {

  private static final String ASK = "-- more: Space, Enter, q --";

  private final Terminal terminal;
  private int column;
  private int line;
  private boolean seenEnough;

  /** Thrown out of the command whose output nobody wants to see any more. */
  static final class EnoughSeenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EnoughSeenException() {
      super("the reader has seen enough", null, false, false);
    }
  }

  private Pager(Terminal terminal) {
    this.terminal = terminal;
  }

  /** A writer onto the terminal's screen; it flushes itself. */
  static PrintWriter on(Terminal terminal) {
    return new PrintWriter(new Pager(terminal), true);
  }

  @Override
  public void write(char[] buffer, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      write(buffer[i]);
    }
  }

  private void write(char c) {
    if (seenEnough) {
      return; // the command's own report that it was ended
    }
    boolean wraps = terminal.getWidth() > 0 && column == terminal.getWidth();
    if (c == '\n' || wraps) {
      line++;
      column = 0;
    }
    terminal.writer().write(c);
    column += c == '\n' ? 0 : 1;
    // the last line of the screen is for the question
    if (terminal.getHeight() > 1 && line >= terminal.getHeight() - 1) {
      ask();
    }
  }

  private void ask() {
    terminal.writer().write(ASK);
    terminal.flush();
    int key = key();
    terminal.writer().write("\r" + " ".repeat(ASK.length()) + "\r");
    terminal.flush();
    switch (key) {
      case '\r', '\n' -> line--;
      case 'q', 'Q', NonBlockingReader.EOF -> {
        seenEnough = true;
        throw new EnoughSeenException();
      }
      default -> line = 0;
    }
  }

  private int key() {
    Attributes before = terminal.enterRawMode();
    try {
      return terminal.reader().read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      terminal.setAttributes(before);
    }
  }

  @Override
  public void flush() {
    terminal.flush();
  }

  @Override
  public void close() {
    terminal.flush();
  }
}
