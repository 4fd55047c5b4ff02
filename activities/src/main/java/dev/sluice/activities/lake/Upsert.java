package dev.sluice.activities.lake;

import dev.sluice.activities.lake.TableWriter.RowIds;
import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.PlacedRows;
import dev.sluice.activities.query.Sql;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.Predicate.Operator;
import dev.sluice.catalog.read.ScanPlan;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Plans an upsert: the source is put into a table of DuckDB's, met with the rows that are there
 * batch by batch, and what met none is added. One per write; not thread-safe.
 */
final class Upsert {

  private static final String STAGED = "staged_rows";
  private static final String FOUND = "found_rows";
  private static final String NUMBER = "__sluice_number";

  private final String doing;
  private final WriteEngine engine;
  private final Table table;
  private final ColumnFeeds feeds;
  private final List<Column> keys;
  private final RowChanges changes;

  Upsert(
      String doing,
      WriteEngine engine,
      Table table,
      ColumnFeeds feeds,
      List<String> keys,
      RowChanges changes) {
    this.doing = doing;
    this.engine = engine;
    this.table = table;
    this.feeds = feeds;
    this.keys = keys.stream().map(key -> ColumnFeeds.column(doing, table, key)).toList();
    this.changes = changes;
  }

  PlannedWrite plan(DataFiles files, NewObjects objects) throws SQLException {
    requireKeys();
    stage();
    requireDistinctKeys();
    ScanPlan plan = changes.scan(keyRange());
    MatchedRows matched = new MatchedRows(doing, engine, plan, files, objects);
    engine.execute("CREATE TEMP TABLE " + FOUND + " (n BIGINT)");
    List<NewDataFile> written = new ArrayList<>();
    try (PlacedRows rows = new PlacedRows(engine.connection(), plan, files)) {
      for (Optional<String> batch = rows.next(); batch.isPresent(); batch = rows.next()) {
        engine.execute(
            "INSERT INTO %s SELECT DISTINCT s.%s FROM (%s) r JOIN %s s ON %s"
                .formatted(FOUND, NUMBER, batch.get(), STAGED, sameKey()));
        written.addAll(changes.rewrite(matched, newValues(batch.get())));
      }
    }
    PlannedWrite updates = changes.changed(matched, written);
    List<NewDataFile> added = changes.writer().write(newRows(), RowIds.NEW);
    return together(updates, added);
  }

  private PlannedWrite together(PlannedWrite updates, List<NewDataFile> added) {
    TableRef ref = TableRef.id(table.id());
    List<Change> all = new ArrayList<>(updates.changes());
    List<NewDataFile> written = new ArrayList<>(updates.files());
    written.addAll(added);
    if (!added.isEmpty()) {
      all.add(new Change.AddDataFiles(ref, added));
    }
    if (!all.isEmpty()) {
      // a row of the same key may have come meanwhile
      all.add(0, new Change.RequireUnchanged(ref));
    }
    return new PlannedWrite(
        all,
        written,
        added.stream().mapToLong(NewDataFile::recordCount).sum(),
        updates.updated(),
        0);
  }

  private void requireKeys() {
    if (keys.isEmpty()) {
      throw WriteErrors.noKeys(doing);
    }
    for (Column key : keys) {
      if (!feeds.fed().containsKey(key)) {
        throw WriteErrors.keyNotGiven(doing, key);
      }
    }
  }

  private void stage() {
    String columns =
        feeds.fed().keySet().stream()
            .map(column -> feeds.value(column) + " AS " + Sql.identifier(column.name()))
            .collect(Collectors.joining(", "));
    try {
      engine.execute(
          "CREATE TEMP TABLE %s AS SELECT %s, row_number() OVER () AS %s FROM (%s) s"
              .formatted(STAGED, columns, NUMBER, feeds.source().sql()));
    } catch (SQLException e) {
      throw feeds.explain(engine, e);
    }
  }

  private void requireDistinctKeys() throws SQLException {
    for (Column key : keys) {
      if (engine.number(
              "SELECT count(*) FROM "
                  + STAGED
                  + " WHERE "
                  + Sql.identifier(key.name())
                  + " IS NULL")
          > 0) {
        throw WriteErrors.nullKey(doing, key);
      }
    }
    String names = keyNames("");
    List<String> twice =
        engine.query(
            "SELECT CAST((%s) AS VARCHAR) FROM %s GROUP BY %s HAVING count(*) > 1 LIMIT 1"
                .formatted(
                    keys.size() == 1 ? names : "struct_pack(" + named() + ")", STAGED, names),
            row -> row.getString(1));
    if (!twice.isEmpty()) {
      throw WriteErrors.keyTwice(doing, twice.get(0));
    }
  }

  private String named() {
    return keys.stream()
        .map(key -> Sql.identifier(key.name()) + " := " + Sql.identifier(key.name()))
        .collect(Collectors.joining(", "));
  }

  private String keyNames(String prefix) {
    return keys.stream()
        .map(key -> prefix + Sql.identifier(key.name()))
        .collect(Collectors.joining(", "));
  }

  /** Files outside of it hold none of the keys. */
  private Predicate keyRange() throws SQLException {
    List<Predicate> ranges = new ArrayList<>();
    for (Column key : keys) {
      if (!key.children().isEmpty()) {
        continue;
      }
      String name = Sql.identifier(key.name());
      List<List<Optional<String>>> bounds =
          engine.query(
              "SELECT CAST(min(%s) AS VARCHAR), CAST(max(%s) AS VARCHAR) FROM %s"
                  .formatted(name, name, STAGED),
              row ->
                  List.of(
                      Optional.ofNullable(row.getString(1)),
                      Optional.ofNullable(row.getString(2))));
      bounds
          .get(0)
          .get(0)
          .ifPresent(
              low ->
                  ranges.add(
                      Predicate.compare(
                          key.name(), Operator.GREATER_OR_EQUAL, new Literal(key.type(), low))));
      bounds
          .get(0)
          .get(1)
          .ifPresent(
              high ->
                  ranges.add(
                      Predicate.compare(
                          key.name(), Operator.LESS_OR_EQUAL, new Literal(key.type(), high))));
    }
    return new Predicate.And(ranges);
  }

  private String sameKey() {
    return keys.stream()
        .map(key -> "r.%s = s.%s".formatted(Sql.identifier(key.name()), Sql.identifier(key.name())))
        .collect(Collectors.joining(" AND "));
  }

  private String newValues(String batch) {
    List<String> values = new ArrayList<>();
    List<String> different = new ArrayList<>();
    for (Column column : table.columns()) {
      String name = Sql.identifier(column.name());
      boolean fed = feeds.fed().containsKey(column);
      values.add(StoredValues.exact(column, (fed ? "s." : "r.") + name) + " AS " + name);
      if (fed && !keys.contains(column)) {
        different.add("r.%s IS DISTINCT FROM s.%s".formatted(name, name));
      }
    }
    values.addAll(List.of(PlacedRows.FILE_ID, PlacedRows.POSITION, PlacedRows.ROW_ID));
    return "SELECT %s FROM (%s) r JOIN %s s ON %s WHERE %s"
        .formatted(
            String.join(", ", values),
            batch,
            STAGED,
            sameKey(),
            different.isEmpty() ? "FALSE" : String.join(" OR ", different));
  }

  private String newRows() {
    String values =
        table.columns().stream()
            .map(
                column ->
                    (feeds.fed().containsKey(column)
                            ? "s." + Sql.identifier(column.name())
                            : feeds.value(column))
                        + " AS "
                        + Sql.identifier(column.name()))
            .collect(Collectors.joining(", "));
    return "SELECT %s FROM %s s ANTI JOIN %s f ON f.n = s.%s"
        .formatted(values, STAGED, FOUND, NUMBER);
  }
}
