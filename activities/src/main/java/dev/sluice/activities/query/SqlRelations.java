package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.activities.query.DataFiles.WantedFile;
import dev.sluice.activities.query.SelectText.Reference;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.View;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.CatalogView;
import dev.sluice.catalog.read.InlinedRows;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanPlan;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes the tables and views of a lake that a query names visible in an engine, under their own
 * names. A table is a view over its plan, so DuckDB reads the columns and row groups it needs.
 */
final class SqlRelations {

  private static final String DEFAULT_SCHEMA = "main";
  private static final String CATALOG = "{DUCKLAKE_CATALOG}.";

  private final CatalogReader catalog;
  private final DataFiles files;
  private final CatalogView lake;
  private final ScratchEngine engine;
  private final Set<String> defined = new HashSet<>();
  private int relations;

  SqlRelations(CatalogReader catalog, DataFiles files, CatalogView lake, ScratchEngine engine) {
    this.catalog = catalog;
    this.files = files;
    this.lake = lake;
    this.engine = engine;
  }

  /** Defines everything that the query needs; refuses what the lake does not have. */
  void define(SelectText select) throws SQLException {
    define(select, DEFAULT_SCHEMA);
  }

  private void define(SelectText select, String schema) throws SQLException {
    for (Reference reference : select.references()) {
      define(reference, schema);
    }
  }

  private void define(Reference reference, String schema) throws SQLException {
    TableName first =
        new TableName(reference.schema().isEmpty() ? schema : reference.schema(), reference.name());
    TableName second = new TableName(DEFAULT_SCHEMA, reference.name());
    if (defineIfThere(first) || (reference.schema().isEmpty() && defineIfThere(second))) {
      return;
    }
    if (!reference.common()) {
      // says which names are similar
      lake.table(first);
    }
  }

  private boolean defineIfThere(TableName name) throws SQLException {
    Optional<Table> table = lake.findTable(name);
    if (table.isPresent()) {
      if (isNew(table.get().name())) {
        define(table.get());
      }
      return true;
    }
    Optional<View> view =
        lake.views().stream().filter(each -> isSame(each.name(), name)).findFirst();
    if (view.isPresent() && isNew(view.get().name())) {
      define(view.get());
    }
    return view.isPresent();
  }

  private static boolean isSame(TableName one, TableName other) {
    return one.schema().equalsIgnoreCase(other.schema())
        && one.table().equalsIgnoreCase(other.table());
  }

  private boolean isNew(TableName name) throws SQLException {
    engine.execute("CREATE SCHEMA IF NOT EXISTS " + Sql.identifier(name.schema()));
    return defined.add(name.toString().toLowerCase(Locale.ROOT));
  }

  private void define(View view) throws SQLException {
    SelectText select = SelectText.parse(engine.connection(), view.sql().replace(CATALOG, ""));
    define(select, view.name().schema());
    String aliases =
        view.columnAliases().isEmpty()
            ? ""
            : view.columnAliases().stream()
                .map(Sql::identifier)
                .collect(Collectors.joining(", ", "(", ")"));
    engine.execute("CREATE VIEW " + qualified(view.name()) + aliases + " AS " + select.sql());
  }

  private void define(Table table) throws SQLException {
    ScanPlan plan = catalog.plan(lake.snapshot(), table, Predicate.all());
    List<WantedFile> wanted = plan.files().stream().flatMap(ScanBatches::wanted).toList();
    Lease lease = files.lease(wanted);
    engine.closeWith(lease);
    List<String> selects = new ArrayList<>();
    for (List<ScanFile> batch : ScanBatches.of(plan.files(), Long.MAX_VALUE)) {
      selects.add(sql(table).files(batch, lease));
    }
    for (InlinedRows rows : plan.inlinedRows()) {
      selects.add(sql(table).inlined(rows));
    }
    if (selects.isEmpty()) {
      selects.add(empty(table));
    }
    String columns =
        table.columns().stream()
            .map(column -> ColumnNames.of(column) + " AS " + Sql.identifier(column.name()))
            .collect(Collectors.joining(", "));
    engine.execute(
        "CREATE VIEW %s AS SELECT %s FROM (%s)"
            .formatted(qualified(table.name()), columns, String.join(" UNION ALL ", selects)));
  }

  /** Each part has helping tables of its own, since all of them are read at one time. */
  private BatchSql sql(Table table) {
    return new BatchSql(
        engine.connection(),
        "__sluice_" + relations++ + "_",
        table,
        lake.snapshot().id(),
        table.columns(),
        PathTexts.OF_THE_PATH,
        DeletedPositions.INLINED);
  }

  private static String empty(Table table) {
    return table.columns().stream()
        .map(column -> Sql.cast("NULL", SqlType.of(column)) + " AS " + ColumnNames.of(column))
        .collect(Collectors.joining(", ", "SELECT ", " WHERE FALSE"));
  }

  private static String qualified(TableName name) {
    return Sql.identifier(name.schema()) + "." + Sql.identifier(name.table());
  }
}
