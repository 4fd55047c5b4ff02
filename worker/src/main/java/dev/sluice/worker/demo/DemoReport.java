package dev.sluice.worker.demo;

import java.util.List;

/**
 * What the demo did.
 *
 * @param tables the tables in the order of their sources
 * @param attach statements that attach the lake in DuckDB while the stack runs
 */
public record DemoReport(List<PublishedTable> tables, List<String> attach) {

  /** Copies the lists. */
  public DemoReport {
    tables = List.copyOf(tables);
    attach = List.copyOf(attach);
  }

  /** Whether every generation of every table was published. */
  public boolean allPublished() {
    return tables.stream().allMatch(PublishedTable::published);
  }
}
