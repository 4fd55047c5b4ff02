package dev.sluice.activities.lake.sequence;

import java.util.List;

/**
 * One operation.
 *
 * @param writer who carries it out
 * @param text for the script of a failure
 * @param plain what plain DuckDB does for it; empty when rows and columns stay
 * @param action carries it out on the lake
 * @param refusals parts of messages by which the writer may refuse it
 * @param movesRows whether it may write earlier snapshots' rows anew
 */
record Step(
    Writer writer,
    String text,
    List<String> plain,
    Action action,
    List<String> refusals,
    boolean movesRows) {

  /** Stands for the catalog in SQL. */
  private static final String CATALOG = "@.";

  /** Carries out a step. */
  @FunctionalInterface
  interface Action {
    void on(SequenceLake lake) throws Exception;
  }

  /** By DuckDB: the same SQL on the lake and on the plain table, with {@code @.} for either. */
  static Step duckDb(String sql) {
    return new Step(
        Writer.DUCKDB,
        "DuckDB  " + sql.replace(CATALOG, ""),
        List.of(in(SequenceLake.PLAIN, sql)),
        lake -> lake.run(in(SequenceLake.LAKE, sql)),
        List.of(),
        false);
  }

  /** By us, with the SQL that says the same. */
  static Step sluice(String sql, Action action) {
    return new Step(
        Writer.SLUICE,
        "Sluice  " + sql.replace(CATALOG, ""),
        List.of(in(SequenceLake.PLAIN, sql)),
        action,
        List.of(),
        false);
  }

  /** The same for something that plain DuckDB does not have. */
  Step withoutPlain() {
    return new Step(writer, text, List.of(), action, refusals, movesRows);
  }

  /** The same, done otherwise by plain DuckDB. */
  Step withPlain(List<String> statements) {
    return new Step(
        writer,
        text,
        statements.stream().map(each -> in(SequenceLake.PLAIN, each)).toList(),
        action,
        refusals,
        movesRows);
  }

  /** The same, after which the DuckDB begins afresh, also if it fails. */
  Step thenAttachAgain() {
    return new Step(
        writer,
        text + "; DETACH and ATTACH",
        plain,
        lake -> {
          try {
            action.on(lake);
          } finally {
            lake.attachAgain();
          }
        },
        refusals,
        movesRows);
  }

  /** The same where the writer may say no in one of these words. */
  Step thatMayBeRefused(String... words) {
    return new Step(writer, text, plain, action, List.of(words), movesRows);
  }

  /** Whether a failure is none. */
  boolean mayFailWith(Exception failure) {
    return refusals.stream().anyMatch(String.valueOf(failure.getMessage())::contains);
  }

  /** The same, which may write earlier snapshots' rows anew. */
  Step thatMovesRows() {
    return new Step(writer, text, plain, action, refusals, true);
  }

  private static String in(String catalog, String sql) {
    return sql.replace(CATALOG, catalog + ".");
  }
}
