package dev.sluice.worker.repl;

import java.io.PrintWriter;
import java.util.List;

/** The commands that a prompt hands its lines to. */
public interface Commands {

  /** Their names. */
  List<String> names();

  /**
   * Runs one.
   *
   * @param words the command's name and its arguments
   * @return its exit code; 0 when it did what it was asked for
   */
  int run(List<String> words, PrintWriter out, PrintWriter err);
}
