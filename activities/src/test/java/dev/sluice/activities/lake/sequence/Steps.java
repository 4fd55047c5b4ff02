package dev.sluice.activities.lake.sequence;

import dev.sluice.activities.query.Sql;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.Schema;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.read.CatalogView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Draws the next step of a sequence: one that fits the lake as it is. */
final class Steps {

  /** What DuckDB says where it cannot go on by a fault of its own. */
  private static final String NULLS = "NOT NULL constraint failed";

  private static final String SORTED = "Failed to bind column reference";

  /** Goes with "Referenced column not found", which alone would hide faults of other kinds. */
  private static final String SORTED_BY_NEWER = "ROW_NUMBER() OVER (ORDER BY";

  private static final int MOST_TABLES = 3;
  private static final List<String> TABLES = List.of("t", "u", "select", "a-b");

  private final CatalogView lake;
  private final Random random;
  private final Writer writer;

  private Steps(CatalogView lake, Random random) {
    this.lake = lake;
    this.random = random;
    this.writer = random.nextBoolean() ? Writer.SLUICE : Writer.DUCKDB;
  }

  /** A step by its number, the same for the same lake. */
  static Step draw(CatalogView lake, long seed) {
    Steps steps = new Steps(lake, new Random(seed));
    if (lake.tables().isEmpty()) {
      return steps.createTable().orElseThrow();
    }
    while (true) {
      Optional<Step> step = steps.kind();
      if (step.isPresent()) {
        return step.get();
      }
    }
  }

  private Optional<Step> kind() {
    int kind = random.nextInt(100);
    if (kind < 54) {
      return rows(kind);
    }
    if (kind < 84) {
      return layout(kind);
    }
    return kind < 91 ? names(kind) : files(kind);
  }

  private Table table() {
    return lake.tables().get(random.nextInt(lake.tables().size()));
  }

  private Optional<Step> rows(int kind) {
    RowSteps rows = new RowSteps(table(), writer, random);
    if (kind < 24) {
      return Optional.of(rows.insert());
    }
    if (kind < 34) {
      return Optional.of(rows.delete());
    }
    if (kind < 42) {
      return Optional.of(rows.update());
    }
    if (kind < 47) {
      return rows.upsert();
    }
    return kind < 49 ? Optional.of(rows.truncate()) : Optional.of(transaction());
  }

  private Step transaction() {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(2); i++) {
      RowSteps rows = new RowSteps(table(), Writer.DUCKDB, random);
      steps.add(
          switch (random.nextInt(4)) {
            case 0, 1 -> rows.insert();
            case 2 -> rows.delete();
            default -> rows.update();
          });
    }
    return RowSteps.transaction(steps);
  }

  private Optional<Step> layout(int kind) {
    Table table = table();
    LayoutSteps steps = new LayoutSteps(table, lake.sortKeys(table), writer, random);
    List<Supplier<Optional<Step>>> all =
        List.of(
            steps::addColumn,
            steps::addColumn,
            steps::addColumn,
            steps::addField,
            steps::addField,
            steps::dropColumn,
            steps::dropColumn,
            steps::dropColumn,
            steps::dropField,
            steps::renameColumn,
            steps::renameColumn,
            steps::renameColumn,
            steps::renameField,
            steps::retype,
            steps::retype,
            steps::retype,
            steps::retypeField,
            steps::partition,
            steps::partition,
            steps::partition,
            steps::partition,
            steps::resetPartition,
            steps::sort,
            steps::resetSort,
            steps::forbidNull,
            steps::allowNull,
            steps::setDefault,
            steps::setDefault,
            steps::dropDefault,
            steps::addField);
    return all.get(kind - 54).get();
  }

  private Optional<Step> names(int kind) {
    return switch (kind) {
      case 84, 85 -> createTable();
      case 86 -> dropTable();
      case 87, 88 -> renameTable();
      case 89 -> createSchema();
      default -> dropSchema();
    };
  }

  private Step step(String sql, Change change) {
    return switch (writer) {
      case DUCKDB -> Step.duckDb(sql);
      case SLUICE -> Step.sluice(sql, lake -> lake.commit(change));
    };
  }

  private Optional<String> freeTable(String schema) {
    return TABLES.stream()
        .filter(name -> lake.findTable(new TableName(schema, name)).isEmpty())
        .findFirst();
  }

  private Optional<Step> createTable() {
    Schema schema = lake.schemas().get(random.nextInt(lake.schemas().size()));
    if (lake.tables().size() >= MOST_TABLES) {
      return Optional.empty();
    }
    return freeTable(schema.name()).map(name -> createTable(new TableName(schema.name(), name)));
  }

  private Step createTable(TableName name) {
    List<ColumnSpec> columns = new ArrayList<>();
    columns.add(
        random.nextInt(3) > 0
            ? ColumnSpec.of("k", Scalar.INT32)
            : new ColumnSpec("k", Scalar.INT32, Nulls.FORBIDDEN, null, List.of()));
    for (int i = 0; i < 2 + random.nextInt(3); i++) {
      List<String> taken = columns.stream().map(ColumnSpec::name).toList();
      columns.add(Columns.random(Columns.freeName(taken, random).orElseThrow(), random));
    }
    String create =
        "CREATE TABLE @.%s (%s)"
            .formatted(
                SequenceLake.sql(name),
                columns.stream().map(Columns::sql).collect(Collectors.joining(", ")));
    Change change = new Change.CreateTable(name, columns, List.of(), IfExists.REFUSE);
    if (columns.get(0).nulls() == Nulls.ALLOWED) {
      return step(create, change);
    }
    return step(create.replaceFirst("\"k\" INTEGER", "\"k\" INTEGER NOT NULL"), change)
        .withPlain(List.of(create));
  }

  private Optional<Step> dropTable() {
    Table table = table();
    return lake.tables().size() < 2
        ? Optional.empty()
        : Optional.of(
            step(
                "DROP TABLE @." + SequenceLake.sql(table.name()),
                new Change.DropTable(TableRef.id(table.id()))));
  }

  private Optional<Step> renameTable() {
    Table table = table();
    return freeTable(table.name().schema())
        .map(
            name ->
                step(
                    "ALTER TABLE @.%s RENAME TO %s"
                        .formatted(SequenceLake.sql(table.name()), Sql.identifier(name)),
                    new Change.RenameTable(TableRef.id(table.id()), name)));
  }

  private Optional<Step> createSchema() {
    String name = lake.findSchema("s").isEmpty() ? "s" : "dot.ted";
    return lake.findSchema(name).isPresent()
        ? Optional.empty()
        : Optional.of(
            step(
                "CREATE SCHEMA @." + Sql.identifier(name),
                new Change.CreateSchema(name, IfExists.REFUSE)));
  }

  private Optional<Step> dropSchema() {
    return lake.schemas().stream()
        .map(Schema::name)
        .filter(name -> !name.equals("main"))
        .filter(name -> lake.tables().stream().noneMatch(t -> t.name().schema().equals(name)))
        .findFirst()
        .map(name -> step("DROP SCHEMA @." + Sql.identifier(name), new Change.DropSchema(name)));
  }

  /** What DuckDB does to files, which no reader may see. */
  private Optional<Step> files(int kind) {
    Step step =
        kind < 95 ? flush() : kind < 98 ? withFreshColumns(merge()) : withFreshColumns(rewrite());
    return Optional.of(step.withoutPlain().thatMovesRows());
  }

  /**
   * DuckDB 1.5.5 reads a file's columns as of the snapshot where the file begins, and keeps that
   * whole catalog for every snapshot of the table's schema version, those before other tables
   * changed too, until it attaches the lake again (docs/reference/duckdb-faults.md).
   */
  private static Step withFreshColumns(Step compaction) {
    return compaction.thenAttachAgain();
  }

  /**
   * DuckDB 1.5.5 flushes no NULL into a column that was NOT NULL once, sorts rows of before a
   * column was dropped by a wrong one, and rows of before a column was added by one that they have
   * not (docs/reference/duckdb-faults.md).
   */
  private static Step flush() {
    return Step.duckDb("CALL ducklake_flush_inlined_data('lake')")
        .thatMayBeRefused(NULLS, SORTED, SORTED_BY_NEWER);
  }

  private static Step merge() {
    return Step.duckDb("CALL ducklake_merge_adjacent_files('lake')").thatMayBeRefused(SORTED);
  }

  /**
   * After a flush, since DuckDB 1.5.5 reads a rewritten file's rows twice once it flushes deletes
   * of before; and it may refuse, since it looks for a renamed column in inlined rows of before
   * (docs/reference/duckdb-faults.md).
   */
  private static Step rewrite() {
    Step rewrite = Step.duckDb("CALL ducklake_rewrite_data_files('lake', delete_threshold => 0.1)");
    Step flush = flush();
    return new Step(
        Writer.DUCKDB,
        flush.text() + "; " + rewrite.text().replaceFirst("^DuckDB +", ""),
        List.of(),
        lake -> {
          flush.action().on(lake);
          rewrite.action().on(lake);
        },
        List.of(NULLS, SORTED, SORTED_BY_NEWER, "Failed to read inlined-data aggregates"),
        true);
  }
}
