package dev.sluice.worker.cli;

import java.util.List;

/**
 * What a command found or brought about.
 *
 * @param tree maps, lists, texts and numbers for JSON
 * @param lines the same for people
 * @param code what the command ends with once it has said so
 */
record Answer(Object tree, List<String> lines, ExitCode code) {

  /** Copies the lines. */
  Answer {
    lines = List.copyOf(lines);
  }

  /** An answer after which all is done. */
  Answer(Object tree, List<String> lines) {
    this(tree, lines, ExitCode.DONE);
  }
}
