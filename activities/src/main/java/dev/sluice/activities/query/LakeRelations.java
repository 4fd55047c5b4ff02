package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.activities.query.DataFiles.WantedFile;
import dev.sluice.activities.query.SelectText.Reads;
import dev.sluice.activities.query.SelectText.Reference;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.View;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.CatalogView;
import dev.sluice.catalog.read.InlinedRows;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanPlan;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes the tables and views of a lake that a query names visible in a DuckDB, under their own
 * names. A table is a view over its plan, so DuckDB reads the columns and row groups it needs; what
 * the query's WHERE rules out is not in the plan. Files are kept on this machine until this is
 * closed, after the DuckDB. Not thread-safe.
 */
public final class LakeRelations implements AutoCloseable {

  private static final String DEFAULT_SCHEMA = "main";
  private static final String CATALOG = "{DUCKLAKE_CATALOG}.";

  private final CatalogReader catalog;
  private final DataFiles files;
  private final CatalogView lake;
  private final Connection connection;
  private final Reads reads;
  private final List<Lease> leases = new ArrayList<>();
  private final Map<Long, Predicate> conditions = new HashMap<>();
  private final Set<String> gathered = new HashSet<>();
  private final Set<String> defined = new HashSet<>();
  private int relations;

  LakeRelations(
      CatalogReader catalog,
      DataFiles files,
      CatalogView lake,
      Connection connection,
      Reads reads) {
    this.catalog = catalog;
    this.files = files;
    this.lake = lake;
    this.connection = connection;
    this.reads = reads;
  }

  /**
   * Defines what a SELECT names, beside whatever else its DuckDB can read; names that the lake does
   * not have are left to DuckDB.
   *
   * @param select one SELECT
   * @param snapshot what the lake's tables are read at
   * @throws SQLException what DuckDB cannot do
   * @throws QueryException when it is no SELECT, or names a table at another snapshot
   */
  public static LakeRelations define(
      Connection connection,
      String select,
      CatalogReader catalog,
      DataFiles files,
      Snapshot snapshot)
      throws SQLException {
    LakeRelations relations =
        new LakeRelations(catalog, files, catalog.view(snapshot), connection, Reads.ANYTHING);
    try {
      relations.define(SelectText.parse(connection, select, Reads.ANYTHING));
      return relations;
    } catch (SQLException | RuntimeException e) {
      relations.close();
      throw e;
    }
  }

  /** Defines everything that the query needs; refuses what the lake does not have. */
  void define(SelectText select) throws SQLException {
    gather(select, DEFAULT_SCHEMA);
    define(select, DEFAULT_SCHEMA);
  }

  /** A table is defined once, with all rows that any mention of it needs. */
  private void gather(SelectText select, String schema) throws SQLException {
    for (Reference reference : select.references()) {
      for (TableName name : names(reference, schema)) {
        Optional<Table> table = lake.findTable(name);
        if (table.isPresent()) {
          Predicate wanted =
              reference.condition().map(each -> each.of(table.get())).orElse(Predicate.all());
          conditions.merge(
              table.get().id(), wanted, (one, other) -> new Predicate.Or(List.of(one, other)));
        }
        Optional<View> view = lake.findView(name);
        if (view.isPresent() && gathered.add(view.get().name().toString())) {
          gather(select(view.get()), view.get().name().schema());
        }
      }
    }
  }

  private void define(SelectText select, String schema) throws SQLException {
    for (Reference reference : select.references()) {
      define(reference, schema);
    }
  }

  /** What a name may mean, best first. */
  private static List<TableName> names(Reference reference, String schema) {
    return reference.schema().isEmpty()
        ? List.of(
            new TableName(schema, reference.name()),
            new TableName(DEFAULT_SCHEMA, reference.name()))
        : List.of(new TableName(reference.schema(), reference.name()));
  }

  private void define(Reference reference, String schema) throws SQLException {
    List<TableName> names = names(reference, schema);
    for (TableName name : names) {
      if (defineIfThere(name)) {
        return;
      }
    }
    if (!reference.common() && (reads == Reads.LAKE_ONLY || isOfLake(reference))) {
      // says which names are similar
      lake.table(names.get(0));
    }
  }

  private boolean isOfLake(Reference reference) {
    return !reference.schema().isEmpty() && lake.findSchema(reference.schema()).isPresent();
  }

  private boolean defineIfThere(TableName name) throws SQLException {
    Optional<Table> table = lake.findTable(name);
    if (table.isPresent()) {
      if (isNew(table.get().name())) {
        define(table.get());
      }
      return true;
    }
    Optional<View> view = lake.findView(name);
    if (view.isPresent() && isNew(view.get().name())) {
      define(view.get());
    }
    return view.isPresent();
  }

  private SelectText select(View view) throws SQLException {
    return SelectText.parse(connection, view.sql().replace(CATALOG, ""), Reads.LAKE_ONLY);
  }

  private boolean isNew(TableName name) {
    return defined.add(name.toString().toLowerCase(Locale.ROOT));
  }

  private void define(View view) throws SQLException {
    SelectText select = select(view);
    define(select, view.name().schema());
    String aliases =
        view.columnAliases().isEmpty()
            ? ""
            : view.columnAliases().stream()
                .map(Sql::identifier)
                .collect(Collectors.joining(", ", "(", ")"));
    createView(view.name(), aliases, select.sql());
  }

  private void define(Table table) throws SQLException {
    ScanPlan plan =
        catalog.plan(lake.snapshot(), table, conditions.getOrDefault(table.id(), Predicate.all()));
    List<WantedFile> wanted = plan.files().stream().flatMap(ScanBatches::wanted).toList();
    Lease lease = files.lease(wanted);
    leases.add(lease);
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
    createView(
        table.name(),
        "",
        "SELECT %s FROM (%s)".formatted(columns, String.join(" UNION ALL ", selects)));
  }

  private void createView(TableName name, String aliases, String select) throws SQLException {
    execute("CREATE SCHEMA IF NOT EXISTS " + Sql.identifier(name.schema()));
    execute("CREATE VIEW " + qualified(name) + aliases + " AS " + select);
  }

  /** Each part has helping tables of its own, since all of them are read at one time. */
  private BatchSql sql(Table table) {
    return new BatchSql(
        connection,
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

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    leases.forEach(Lease::close);
  }
}
