package dev.sluice.activities.lake.sequence;

import dev.sluice.activities.lake.CommitNote;
import dev.sluice.activities.lake.InsertRequest;
import dev.sluice.activities.lake.RowCondition;
import dev.sluice.activities.lake.RowSource;
import dev.sluice.activities.lake.UpdateRequest;
import dev.sluice.activities.lake.UpsertRequest;
import dev.sluice.activities.query.Sql;
import dev.sluice.activities.query.SqlType;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** Steps that change rows of one table. */
final class RowSteps {

  private static final Set<Scalar> KEYS =
      Set.of(Scalar.INT16, Scalar.INT32, Scalar.INT64, Scalar.UINT8);

  private final Table table;
  private final Writer writer;
  private final Random random;

  RowSteps(Table table, Writer writer, Random random) {
    this.table = table;
    this.writer = writer;
    this.random = random;
  }

  private Step step(String sql, Step.Action ours) {
    return switch (writer) {
      case DUCKDB -> Step.duckDb(sql);
      case SLUICE -> Step.sluice(sql, ours);
    };
  }

  private String name() {
    return "@." + SequenceLake.sql(table.name());
  }

  /** Up to ten rows stay in the catalog when DuckDB inserts them. */
  private int rows() {
    return random.nextInt(3) > 0 ? 1 + random.nextInt(9) : 11 + random.nextInt(20);
  }

  Step insert() {
    int from = random.nextInt(60);
    List<Column> columns = given(List.of());
    String select =
        "SELECT %s FROM range(%d, %d)".formatted(values(columns, "range"), from, from + rows());
    return step(
        "INSERT INTO %s (%s) %s".formatted(name(), names(columns), select),
        lake -> lake.tables.insert(InsertRequest.of(table.name(), new RowSource.Select(select))));
  }

  Step delete() {
    Condition condition = Condition.random(table, random);
    RowCondition ours = ours(condition);
    return step(
        "DELETE FROM %s WHERE %s".formatted(name(), condition.sql()),
        lake -> lake.tables.delete(table.name(), ours, CommitNote.NONE));
  }

  Step truncate() {
    return step("TRUNCATE " + name(), lake -> lake.tables.truncate(table.name(), CommitNote.NONE));
  }

  Step update() {
    Condition condition = Condition.random(table, random);
    RowCondition ours = ours(condition);
    String n =
        key().map(key -> "coalesce(" + Sql.identifier(key.name()) + ", 0)::BIGINT").orElse("7");
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i <= random.nextInt(2); i++) {
      Column column = any();
      values.put(column.name(), Values.of(column, n, random));
    }
    String set =
        values.entrySet().stream()
            .map(each -> Sql.identifier(each.getKey()) + " = " + each.getValue())
            .collect(Collectors.joining(", "));
    return step(
        "UPDATE %s SET %s WHERE %s".formatted(name(), set, condition.sql()),
        lake -> lake.tables.update(UpdateRequest.of(table.name(), values, ours)));
  }

  /** Empty when no column can be a key. */
  Optional<Step> upsert() {
    return key().map(this::upsert);
  }

  private Step upsert(Column key) {
    int from = random.nextInt(60);
    List<Column> others = given(List.of(key.name()));
    String id = Sql.identifier(key.name());
    String select =
        "SELECT range::%s AS %s%s FROM range(%d, %d)"
            .formatted(
                SqlType.of(key),
                id,
                others.isEmpty() ? "" : ", " + values(others, "range"),
                from,
                from + rows());
    String sets =
        others.stream()
            .map(each -> Sql.identifier(each.name()))
            .map(each -> each + " = s." + each)
            .collect(Collectors.joining(", "));
    List<Column> all = new ArrayList<>(List.of(key));
    all.addAll(others);
    String merge =
        "MERGE INTO %s AS t USING (%s) AS s ON t.%s = s.%s %sWHEN NOT MATCHED THEN INSERT (%s) VALUES (%s)"
            .formatted(
                name(),
                select,
                id,
                id,
                others.isEmpty() ? "" : "WHEN MATCHED THEN UPDATE SET " + sets + " ",
                names(all),
                all.stream()
                    .map(each -> "s." + Sql.identifier(each.name()))
                    .collect(Collectors.joining(", ")));
    return step(
        merge,
        lake ->
            lake.tables.upsert(
                UpsertRequest.of(table.name(), new RowSource.Select(select), List.of(key.name()))));
  }

  private RowCondition ours(Condition condition) {
    return random.nextBoolean()
        ? RowCondition.of(condition.predicate())
        : RowCondition.sql(condition.sql());
  }

  private Optional<Column> key() {
    return table.columns().stream()
        .filter(column -> column.type() instanceof Scalar type && KEYS.contains(type))
        .findFirst();
  }

  private Column any() {
    return table.columns().get(random.nextInt(table.columns().size()));
  }

  /** Most columns; those left out get their default. */
  private List<Column> given(List<String> without) {
    List<Column> given = new ArrayList<>();
    for (Column column : table.columns()) {
      boolean needed = column.nulls() == Nulls.FORBIDDEN || (without.isEmpty() && given.isEmpty());
      if (!without.contains(column.name()) && (needed || random.nextInt(7) > 0)) {
        given.add(column);
      }
    }
    return given;
  }

  private static String names(List<Column> columns) {
    return columns.stream()
        .map(column -> Sql.identifier(column.name()))
        .collect(Collectors.joining(", "));
  }

  private String values(List<Column> columns, String n) {
    return columns.stream()
        .map(column -> Values.of(column, n, random) + " AS " + Sql.identifier(column.name()))
        .collect(Collectors.joining(", "));
  }

  /** Statements of one transaction, which only DuckDB has. */
  static Step transaction(List<Step> steps) {
    List<String> texts =
        steps.stream().map(step -> step.text().replaceFirst("^DuckDB +", "")).toList();
    return new Step(
        Writer.DUCKDB,
        "DuckDB  BEGIN; " + String.join("; ", texts) + "; COMMIT",
        steps.stream().flatMap(step -> step.plain().stream()).toList(),
        lake -> {
          lake.run("BEGIN");
          try {
            for (Step step : steps) {
              step.action().on(lake);
            }
            lake.run("COMMIT");
          } catch (Exception e) {
            lake.run("ROLLBACK");
            throw e;
          }
        },
        List.of(),
        false);
  }
}
