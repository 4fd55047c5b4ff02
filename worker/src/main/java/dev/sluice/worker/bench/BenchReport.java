package dev.sluice.worker.bench;

import java.util.List;
import java.util.Map;

/**
 * What a benchmark measured.
 *
 * @param tree maps, lists, texts and numbers for JSON
 * @param lines the same for people
 */
public record BenchReport(Map<String, Object> tree, List<String> lines) {

  /** Copies the lines. */
  public BenchReport {
    lines = List.copyOf(lines);
  }
}
