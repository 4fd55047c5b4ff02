package dev.sluice.activities.lake.sequence;

import dev.sluice.activities.lake.sequence.SequenceLake.Filter;
import dev.sluice.activities.lake.sequence.SequenceLake.TableAt;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.SnapshotEntry;
import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Carries out steps on a new lake. After each, every table holds in the lake, to us and to the
 * DuckDB, what the plain one does; so it does when a condition leaves files out. After steps that
 * move rows between files, and at the end, the same is true at every snapshot.
 */
final class Sequence {

  private final SequenceLake lake;
  private final List<String> script = new ArrayList<>();
  private final Map<Long, Map<TableName, List<String>>> expected = new HashMap<>();
  private Map<TableName, List<String>> current = Map.of();

  private Sequence(SequenceLake lake) {
    this.lake = lake;
  }

  /** The first thing that was wrong. */
  static final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    private final int steps;

    Failure(String message, int steps, Throwable cause) {
      super(message, cause);
      this.steps = steps;
    }

    /** How many were begun. */
    int steps() {
      return steps;
    }
  }

  /**
   * Runs a sequence.
   *
   * @param seeds one per step
   * @throws Failure with the script so far
   */
  static void run(DuckLakeSession duckDb, Path folder, List<Long> seeds) throws Failure {
    List<String> script = new ArrayList<>();
    int[] steps = new int[1];
    try (SequenceLake lake = SequenceLake.open(duckDb, folder)) {
      Sequence sequence = new Sequence(lake);
      try {
        for (long seed : seeds) {
          steps[0]++;
          sequence.step(seed);
        }
        sequence.compareAllSnapshots();
      } finally {
        script.addAll(sequence.script);
      }
    } catch (Exception | AssertionError e) {
      throw new Failure(
          String.join("\n", script)
              + "\n-- "
              + String.valueOf(e)
                  .lines()
                  .takeWhile(line -> !line.isEmpty())
                  .collect(Collectors.joining("\n")),
          steps[0],
          e);
    }
  }

  private void step(long seed) throws Exception {
    Snapshot before = lake.newest();
    Step step = Steps.draw(lake.catalog.reader().view(before), seed);
    script.add(step.text());
    try {
      step.action().on(lake);
    } catch (Exception e) {
      if (!step.mayFailWith(e)) {
        throw e;
      }
      script.add("-- refused: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
    if (step.writer() == Writer.DUCKDB) {
      lake.forgetMissingBounds();
    }
    for (String statement : step.plain()) {
      lake.run(statement);
    }
    Snapshot after = lake.newest();
    if (after.schemaVersion() > before.schemaVersion()) {
      compareColumns();
    }
    compareNewest(after, new Random(seed));
    expected.put(after.id(), current);
    if (step.movesRows() && after.id() > before.id()) {
      compareAllSnapshots();
    }
  }

  private void compareNewest(Snapshot newest, Random random) throws Exception {
    List<Table> tables = lake.tablesAt(newest);
    List<List<String>> should = lake.expected(tables);
    List<TableAt> all = tables.stream().map(table -> new TableAt(table, newest)).toList();
    current = new HashMap<>();
    for (int i = 0; i < all.size(); i++) {
      current.put(tables.get(i).name(), should.get(i));
    }
    Optional<Filter> filter = filter(newest, tables, random);
    List<List<String>> duckDbs = lake.duckDbs(all, filter);
    for (int i = 0; i < all.size(); i++) {
      equal("DuckDB reads " + all.get(i), should.get(i), duckDbs.get(i));
      equal("Sluice reads " + all.get(i), should.get(i), lake.ours(all.get(i)));
    }
    if (filter.isPresent()) {
      List<String> rows = lake.expected(filter.get());
      equal("DuckDB reads " + filter.get(), rows, duckDbs.get(all.size()));
      equal("Sluice reads " + filter.get(), rows, lake.ours(filter.get()));
    }
  }

  /** Now and then: it costs as much as everything else. */
  private static Optional<Filter> filter(Snapshot newest, List<Table> tables, Random random) {
    if (tables.isEmpty() || random.nextInt(3) > 0) {
      return Optional.empty();
    }
    Table table = tables.get(random.nextInt(tables.size()));
    return Optional.of(new Filter(new TableAt(table, newest), Condition.random(table, random)));
  }

  private void compareColumns() throws Exception {
    Map<String, List<String>> layouts = lake.layouts();
    equal(
        "columns",
        layouts.getOrDefault(SequenceLake.PLAIN, List.of()),
        layouts.getOrDefault(SequenceLake.LAKE, List.of()));
  }

  private void compareAllSnapshots() throws Exception {
    List<TableAt> all = new ArrayList<>();
    for (SnapshotEntry entry : lake.catalog.reader().snapshots()) {
      for (Table table : lake.tablesAt(entry.snapshot())) {
        all.add(new TableAt(table, entry.snapshot()));
      }
    }
    List<List<String>> duckDbs = lake.duckDbs(all, Optional.empty());
    for (int i = 0; i < all.size(); i++) {
      TableAt at = all.get(i);
      // of several snapshots that one step made only the last is known
      Map<TableName, List<String>> known = expected.get(at.snapshot().id());
      List<String> should =
          known == null ? duckDbs.get(i) : known.getOrDefault(at.table().name(), List.of());
      equal("DuckDB reads " + at, should, duckDbs.get(i));
      equal("Sluice reads " + at, should, lake.ours(at));
    }
  }

  private static void equal(String what, List<String> expected, List<String> actual) {
    if (!expected.equals(actual)) {
      List<String> missing = new ArrayList<>(expected);
      actual.forEach(missing::remove);
      List<String> surplus = new ArrayList<>(actual);
      expected.forEach(surplus::remove);
      throw new AssertionError(
          "%s: %d rows instead of %d; missing %s; too many %s"
              .formatted(what, actual.size(), expected.size(), missing, surplus));
    }
  }
}
