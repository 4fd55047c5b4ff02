package dev.sluice.activities.lake.sequence;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.lake.LakeTables;
import dev.sluice.activities.lake.WriteSettings;
import dev.sluice.activities.query.LakeScanner;
import dev.sluice.activities.query.LocalDataFiles;
import dev.sluice.activities.query.ScanRequest;
import dev.sluice.activities.query.ScanRows;
import dev.sluice.activities.query.Sql;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitSettings;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanPlan;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A lake as stock DuckDB makes one, seen through three eyes: Sluice, a DuckDB that stays attached,
 * and plain tables in that DuckDB's memory, in which the same operations leave what the lake's
 * tables should hold. Rows are compared as texts, in no order.
 */
final class SequenceLake implements AutoCloseable {

  /** The lake and the plain tables, as catalogs of the DuckDB. */
  static final String LAKE = "lake";

  static final String PLAIN = "plain";

  private static final String TEMPLATE_PATH = "/nowhere/";

  /** Selects in one statement; DuckDB's planning grows faster than their number. */
  private static final int SELECTS = 40;

  final Catalog catalog;
  final LakeTables tables;
  private final PostgresDatabase database;
  private final HikariDataSource connections;
  private final DuckLakeSession duckDb;
  private final LakeScanner scanner;
  private final ObjectStores stores;
  private final Map<List<Object>, List<String>> read = new HashMap<>();

  private SequenceLake(
      PostgresDatabase database,
      HikariDataSource connections,
      DuckLakeSession duckDb,
      Path folder) {
    this.database = database;
    this.connections = connections;
    this.duckDb = duckDb;
    this.catalog = Catalog.open(connections, "public", impatient());
    this.stores = ObjectStores.localOnly();
    LocalDataFiles files = new LocalDataFiles(folder.resolve("links"));
    this.tables =
        new LakeTables(
            catalog,
            stores.open(StorageLocation.parse(folder.resolve(LAKE).toString())),
            files,
            WriteSettings.in(folder.resolve("write")));
    this.scanner = new LakeScanner(catalog.reader(), files);
  }

  /**
   * A new lake.
   *
   * @param duckDb a session that no other sequence uses at the same time
   * @param folder holds the lake's files
   */
  static SequenceLake open(DuckLakeSession duckDb, Path folder) throws SQLException {
    PostgresDatabase database =
        EmbeddedDatabase.shared().newDatabase("sequence_lake", SequenceLake::fill);
    try (Connection connection = database.connect();
        PreparedStatement move =
            connection.prepareStatement(
                "UPDATE ducklake_metadata SET value = ? WHERE key = 'data_path'")) {
      move.setString(1, folder.resolve(LAKE) + "/");
      move.executeUpdate();
    }
    // several threads for a few rows cost three times what one does
    duckDb.execute("SET threads = 1");
    duckDb.execute("ATTACH ':memory:' AS " + PLAIN);
    attach(duckDb, database);
    return new SequenceLake(database, database.dataSource(2), duckDb, folder);
  }

  private static void fill(PostgresDatabase template) {
    try (DuckLakeSession maker = DuckLakeSession.open()) {
      maker.attach(DuckLakeAttachment.of(template, TEMPLATE_PATH).withDefaultInlining());
      maker.detach(LAKE);
      Catalog.adopt(template.dataSource(), "public");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The one DuckDB here never writes at the same time, so that it need not be waited for. */
  private static CommitSettings impatient() {
    CommitSettings usual = CommitSettings.defaults();
    return new CommitSettings(
        usual.maxTries(),
        usual.firstPause(),
        usual.longestPause(),
        usual.lockTimeout(),
        usual.statementTimeout(),
        usual.idleTimeout(),
        Duration.ZERO,
        Duration.ZERO,
        Clock.systemUTC(),
        usual.sleeper(),
        new Random(0));
  }

  /** Has the DuckDB forget what it knows of the lake. */
  void attachAgain() throws SQLException {
    duckDb.execute("DETACH " + LAKE);
    attach(duckDb, database);
  }

  private static void attach(DuckLakeSession duckDb, PostgresDatabase database)
      throws SQLException {
    duckDb.execute("ATTACH 'ducklake:postgres:" + database.libpq() + "' AS " + LAKE);
  }

  /**
   * DuckDB 1.5.5 forgets a column's bounds now and then and makes those of its next insert the
   * table's, after which it finds fewer rows than there are (docs/reference/duckdb-faults.md).
   * Where it has forgotten them, this leaves none.
   */
  void forgetMissingBounds() throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "DELETE FROM ducklake_table_column_stats WHERE min_value IS NULL OR max_value IS NULL");
    }
  }

  void commit(Change... changes) {
    catalog.commit(CommitRequest.of("sequence", new Base.Newest(), List.of(changes)));
  }

  /** Runs a statement in DuckDB. */
  void run(String sql) throws SQLException {
    duckDb.execute(sql);
  }

  Snapshot newest() {
    return catalog.reader().latest();
  }

  List<Table> tablesAt(Snapshot snapshot) {
    return catalog.reader().view(snapshot).tables();
  }

  static String sql(TableName name) {
    return Sql.identifier(name.schema()) + "." + Sql.identifier(name.table());
  }

  /** A table as of a snapshot. */
  record TableAt(Table table, Snapshot snapshot) {
    @Override
    public String toString() {
      return table.name() + " at snapshot " + snapshot.id();
    }
  }

  /** Some rows of a table. */
  record Filter(TableAt at, Condition condition) {
    @Override
    public String toString() {
      return at + " where " + condition.sql();
    }
  }

  /** Rows as we read them. What was read by an equal plan is not read again. */
  List<String> ours(TableAt at) {
    ScanPlan plan = catalog.reader().plan(at.snapshot(), at.table(), Predicate.all());
    boolean rowsHaveSnapshots =
        plan.files().stream()
            .anyMatch(file -> file.newestRowSnapshot() != null || !file.deleteFiles().isEmpty());
    return read.computeIfAbsent(
        List.of(
            at.table().columns(),
            plan.files(),
            plan.inlinedRows(),
            rowsHaveSnapshots ? at.snapshot().id() : 0L),
        plans -> ours(at, Predicate.all()));
  }

  /** Rows that we find. */
  List<String> ours(Filter filter) {
    return ours(filter.at(), filter.condition().predicate());
  }

  private List<String> ours(TableAt at, Predicate predicate) {
    List<String> rows = new ArrayList<>();
    try (ScanRows scan =
        scanner.scan(ScanRequest.all(at.table().name(), at.snapshot()).where(predicate))) {
      while (scan.next()) {
        rows.add(scan.row().toString());
      }
    }
    Collections.sort(rows);
    return rows;
  }

  /** Rows of each as DuckDB reads them; those of the filter, which reads the newest, last. */
  List<List<String>> duckDbs(List<TableAt> tables, Optional<Filter> filter) throws SQLException {
    List<List<String>> all = new ArrayList<>();
    for (int from = 0; from < tables.size() || from == 0; from += SELECTS) {
      List<String> selects = new ArrayList<>();
      for (TableAt at : tables.subList(from, Math.min(tables.size(), from + SELECTS))) {
        selects.add(
            "%s FROM %s.%s AT (VERSION => %d)"
                .formatted(
                    shown(at.table(), selects.size()),
                    LAKE,
                    sql(at.table().name()),
                    at.snapshot().id()));
      }
      filter.ifPresent(each -> selects.add(select(each, LAKE, selects.size())));
      all.addAll(read(selects));
    }
    return all;
  }

  /** What the filter should find. */
  List<String> expected(Filter filter) throws SQLException {
    return read(List.of(select(filter, PLAIN, 0))).get(0);
  }

  private static String select(Filter filter, String database, int number) {
    Table table = filter.at().table();
    return "%s FROM %s.%s WHERE %s"
        .formatted(shown(table, number), database, sql(table.name()), filter.condition().sql());
  }

  /** What the tables should hold. */
  List<List<String>> expected(List<Table> tables) throws SQLException {
    List<String> selects = new ArrayList<>();
    for (Table table : tables) {
      selects.add(shown(table, selects.size()) + " FROM " + PLAIN + "." + sql(table.name()));
    }
    return read(selects);
  }

  /** Tables with their columns and types, as DuckDB lists them: the lake's and the plain ones. */
  Map<String, List<String>> layouts() throws SQLException {
    Map<String, List<String>> layouts = new HashMap<>();
    for (List<@Nullable String> row :
        duckDb.queryText(
            "SELECT database_name, [schema_name, table_name, column_name, data_type] FROM"
                + " duckdb_columns() WHERE database_name IN ('lake', 'plain') ORDER BY schema_name,"
                + " table_name, column_index")) {
      layouts
          .computeIfAbsent(String.valueOf(row.get(0)), name -> new ArrayList<>())
          .add(String.valueOf(row.get(1)));
    }
    return layouts;
  }

  private static String shown(Table table, int number) {
    return table.columns().stream()
        .map(SequenceLake::text)
        .collect(Collectors.joining(", ", "SELECT " + number + " AS n, [", "] AS r"));
  }

  private static String text(Column column) {
    String name = Sql.identifier(column.name());
    return column.type() == Scalar.BLOB ? "hex(" + name + ")" : name + "::VARCHAR";
  }

  private List<List<String>> read(List<String> selects) throws SQLException {
    List<List<String>> all = new ArrayList<>();
    selects.forEach(each -> all.add(new ArrayList<>()));
    if (selects.isEmpty()) {
      return all;
    }
    try (Statement statement = duckDb.connection().createStatement();
        ResultSet rows = statement.executeQuery(String.join(" UNION ALL ", selects))) {
      while (rows.next()) {
        all.get(rows.getInt("n")).add(Arrays.toString((Object[]) rows.getArray("r").getArray()));
      }
    }
    all.forEach(Collections::sort);
    return all;
  }

  @Override
  public void close() throws SQLException {
    stores.close();
    connections.close();
    duckDb.execute("DETACH " + LAKE);
    duckDb.execute("DETACH " + PLAIN);
    EmbeddedDatabase.shared().dropDatabase(database.name());
  }
}
