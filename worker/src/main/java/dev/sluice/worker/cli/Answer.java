package dev.sluice.worker.cli;

import java.util.List;

/**
 * What a reading command found.
 *
 * @param tree maps, lists, texts and numbers for JSON
 * @param lines the same for people
 */
record Answer(Object tree, List<String> lines) {

  /** Copies the lines. */
  Answer {
    lines = List.copyOf(lines);
  }
}
