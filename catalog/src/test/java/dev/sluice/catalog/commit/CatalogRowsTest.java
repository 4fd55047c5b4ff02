package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same operations by DuckDB in one lake and by us in another leave the same rows, but for the
 * columns of {@code docs/reference/catalog-differences.md}.
 */
class CatalogRowsTest {

  /** DuckDB writes '' for nested columns; see docs/reference/catalog-differences.md. */
  private static final Set<String> REVIEWED = Set.of("ducklake_column.default_value_type");

  private static final TableName NAME = new TableName("s", "t");
  private static final TableRef TABLE = TableRef.name("s", "t");
  private static final String DUCKDB_TABLE =
      "CREATE TABLE s.t (a INTEGER, n DOUBLE NOT NULL, b STRUCT(x INTEGER, y VARCHAR),"
          + " c INTEGER[], d MAP(VARCHAR, INTEGER), e DECIMAL(10,2))";
  private static final List<ColumnSpec> COLUMNS =
      List.of(
          ColumnSpec.of("a", Scalar.INT32),
          new ColumnSpec("n", Scalar.FLOAT64, Nulls.FORBIDDEN, null, List.of()),
          ColumnSpec.nested(
              "b",
              Nested.STRUCT,
              List.of(ColumnSpec.of("x", Scalar.INT32), ColumnSpec.of("y", Scalar.VARCHAR))),
          ColumnSpec.nested("c", Nested.LIST, List.of(ColumnSpec.of("element", Scalar.INT32))),
          ColumnSpec.nested(
              "d",
              Nested.MAP,
              List.of(ColumnSpec.of("key", Scalar.VARCHAR), ColumnSpec.of("value", Scalar.INT32))),
          ColumnSpec.of("e", new Decimal(10, 2)));

  @TempDir Path folder;
  private PostgresDatabase theirDatabase;
  private PostgresDatabase ourDatabase;
  private DuckLakeSession duck;
  private DuckLakeSession reader;
  private Catalog ours;

  @BeforeEach
  void createBothLakes() throws SQLException {
    DuckDbReferee.assumeAvailable();
    theirDatabase = EmbeddedDatabase.shared().newDatabase();
    ourDatabase = EmbeddedDatabase.shared().newDatabase();
    duck = DuckLakeSession.open();
    duck.attach(DuckLakeAttachment.of(theirDatabase, folder + "/theirs/"));
    duck.execute("CALL lake.set_option('data_inlining_row_limit', '0')");
    ours = Catalog.create(ourDatabase.dataSource(), TestLake.LAKE, folder + "/ours");
    reader = DuckLakeSession.open().attach(DuckLakeAttachment.existing(ourDatabase));
  }

  @AfterEach
  void closeSessions() throws SQLException {
    duck.close();
    reader.close();
  }

  @Test
  void freshLakesAreAlike() throws SQLException {
    assertThat(differences()).isEmpty();
  }

  @Test
  @DisplayName(
      "writer bugs 14 and 22: create, type names and schema versions as DuckDB writes them")
  void createdSchemasAndTablesAreAlike() throws SQLException {
    duck.execute("CREATE SCHEMA s");
    commit(new Change.CreateSchema("s", IfExists.REFUSE));
    duck.execute(DUCKDB_TABLE);
    commit(new Change.CreateTable(NAME, COLUMNS, List.of(), IfExists.REFUSE));

    assertThat(differences()).isEmpty();
    assertThat(reader.columns("FROM s.t")).containsExactly("a", "n", "b", "c", "d", "e");
  }

  @Test
  @DisplayName("writer bugs 12 and 34: awkward names, their paths and the change log are alike")
  void awkwardNamesAreAlike() throws SQLException {
    duck.execute("CREATE SCHEMA \"a,b\"; CREATE TABLE \"a,b\".\"we\"\"ird: x\" (\"sel.ect\" INT)");
    commit(new Change.CreateSchema("a,b", IfExists.REFUSE));
    commit(
        new Change.CreateTable(
            new TableName("a,b", "we\"ird: x"),
            List.of(ColumnSpec.of("sel.ect", Scalar.INT32)),
            List.of(),
            IfExists.REFUSE));

    assertThat(differences("ducklake_schema.path", "ducklake_table.path")).isEmpty();
    assertThat(paths(ourDatabase)).allMatch(path -> path.matches("[0-9a-f-]{36}/|main/"));
  }

  @Test
  @DisplayName(
      "writer bugs 19, 20 and 21: registered files, mappings, row ids and statistics alike")
  void addedFilesAreAlike() throws SQLException, IOException {
    createBoth();
    Path first =
        file(
            "SELECT 1::INT a, 1.5::DOUBLE n, {'x': 1, 'y': 'q'} b, [1, 2] c,"
                + " MAP {'k': 1} d, 1.50::DECIMAL(10,2) e UNION ALL SELECT NULL, -2.0, NULL, NULL, NULL, -3::DECIMAL(10,2)");
    Path second =
        file(
            "SELECT 10::INT a, 0.5::DOUBLE n, {'x': 9, 'y': 'z'} b, [7] c,"
                + " MAP {'l': 2} d, 10.25::DECIMAL(10,2) e");

    addBoth(first);
    addBoth(second);

    assertThat(differences()).isEmpty();
    assertThat(reader.queryText("SELECT count(*), min(a), max(a), min(e), max(e) FROM s.t"))
        .containsExactly(List.of("3", "1", "10", "-3.00", "10.25"));
  }

  @Test
  @DisplayName("writer bug 23: altered columns keep every attribute and are alike")
  void alteredTablesAreAlike() throws SQLException {
    createBoth();
    both(
        "ALTER TABLE s.t ADD COLUMN f BIGINT DEFAULT 42",
        new Change.AddColumn(
            TABLE, List.of(), new ColumnSpec("f", Scalar.INT64, Nulls.ALLOWED, "42", List.of())));
    both("ALTER TABLE s.t RENAME COLUMN f TO g", new Change.RenameColumn(TABLE, List.of("f"), "g"));
    both(
        "ALTER TABLE s.t ALTER COLUMN a SET DATA TYPE BIGINT",
        new Change.RetypeColumn(TABLE, List.of("a"), Scalar.INT64));
    both(
        "ALTER TABLE s.t ADD COLUMN b.z DOUBLE",
        new Change.AddColumn(TABLE, List.of("b"), ColumnSpec.of("z", Scalar.FLOAT64)));
    both(
        "ALTER TABLE s.t RENAME COLUMN b.y TO yy",
        new Change.RenameColumn(TABLE, List.of("b", "y"), "yy"));
    both("ALTER TABLE s.t DROP COLUMN b.x", new Change.DropColumn(TABLE, List.of("b", "x")));
    both("ALTER TABLE s.t DROP COLUMN e", new Change.DropColumn(TABLE, List.of("e")));

    assertThat(withoutNestedNulls()).isEmpty();
    assertThat(reader.columns("FROM s.t")).containsExactly("a", "n", "b", "c", "d", "g");
  }

  @Test
  @DisplayName("writer bug 33: partition specs are alike")
  void partitioningIsAlike() throws SQLException {
    createBoth();
    both(
        "ALTER TABLE s.t SET PARTITIONED BY (a, bucket(8, e))",
        new Change.SetPartitioning(
            TABLE,
            List.of(
                PartitionKey.identity("a"),
                new PartitionKey("e", PartitionTransform.parse("bucket(8)")))));
    both("ALTER TABLE s.t RESET PARTITIONED BY", new Change.SetPartitioning(TABLE, List.of()));

    assertThat(differences()).isEmpty();
  }

  @Test
  void renamedAndDroppedTablesAreAlike() throws SQLException, IOException {
    createBoth();
    addBoth(
        file(
            "SELECT 1::INT a, 1.5::DOUBLE n, {'x': 1, 'y': 'q'} b, [1, 2] c,"
                + " MAP {'k': 1} d, 1.50::DECIMAL(10,2) e"));
    both("ALTER TABLE s.t RENAME TO u", new Change.RenameTable(TABLE, "u"));
    both("DROP TABLE s.u", new Change.DropTable(TableRef.name("s", "u")));
    both("DROP SCHEMA s", new Change.DropSchema("s"));

    assertThat(differences()).isEmpty();
  }

  @Test
  @DisplayName("writer bug 2: an overwrite differs from DELETE and INSERT in its statistics only")
  void overwriteIsAlikeButForStatistics() throws SQLException, IOException {
    duck.execute("CREATE SCHEMA s; CREATE TABLE s.t (a INTEGER)");
    commit(new Change.CreateSchema("s", IfExists.REFUSE));
    List<ColumnSpec> columns = List.of(ColumnSpec.of("a", Scalar.INT32));
    commit(new Change.CreateTable(NAME, columns, List.of(), IfExists.REFUSE));
    Path before = file("SELECT range::INT a FROM range(100)");
    Path after = file("SELECT 7::INT a FROM range(5)");
    addBoth(before);

    duck.execute(
        "BEGIN; DELETE FROM s.t; CALL ducklake_add_data_files('lake', 't', '%s', schema => 's');"
                .formatted(after)
            + " COMMIT");
    ours.commit(
        CommitRequest.of(
            "overwrite",
            new Base.Newest(),
            List.of(
                new Change.ReplaceContent(
                    NAME,
                    columns,
                    List.of(),
                    List.of(described(after)),
                    SchemaPolicy.FAIL,
                    ForeignContent.REFUSE,
                    null))));

    // the gross counts and widened bounds of DuckDB would be wrong for what we have replaced
    assertThat(
            differences(
                "ducklake_table_stats.record_count", "ducklake_table_stats.file_size_bytes"))
        .allMatch(line -> line.startsWith("- ducklake_table_column_stats"))
        .hasSize(1);
    assertThat(reader.queryText("SELECT count(*), min(a), max(a) FROM s.t"))
        .containsExactly(List.of("5", "7", "7"));
    assertThat(reader.queryText("SELECT count(*), min(a), max(a) FROM s.t AT (VERSION => 3)"))
        .containsExactly(List.of("100", "0", "99"));
  }

  @Test
  @DisplayName("writer bug 2: so does an overwrite of nested columns")
  void overwriteOfNestedColumnsIsAlikeButForStatistics() throws SQLException, IOException {
    createBoth();
    addBoth(nested(1));
    Path after = nested(7);

    duck.execute(
        "BEGIN; DELETE FROM s.t; CALL ducklake_add_data_files('lake', 't', '%s', schema => 's');"
                .formatted(after)
            + " COMMIT");
    commit(
        new Change.ReplaceContent(
            NAME,
            COLUMNS,
            List.of(),
            List.of(described(after)),
            SchemaPolicy.FAIL,
            ForeignContent.REFUSE,
            null));

    assertThat(
            differences(
                "ducklake_table_stats.record_count", "ducklake_table_stats.file_size_bytes"))
        .isNotEmpty()
        .allMatch(line -> line.startsWith("- ducklake_table_column_stats"));
    assertThat(reader.queryText("FROM s.t")).isEqualTo(duck.queryText("FROM s.t")).hasSize(1);
    assertThat(reader.queryText("FROM s.t AT (VERSION => 3)"))
        .isEqualTo(duck.queryText("FROM s.t AT (VERSION => 3)"))
        .hasSize(1);
  }

  private Path nested(int x) throws SQLException {
    return file(
        "SELECT %1$d::INT a, 1.5::DOUBLE n, {'x': %1$d, 'y': 'q'} b, [%1$d, 2] c,".formatted(x)
            + " MAP {'k': 1} d, 1.50::DECIMAL(10,2) e");
  }

  /** DuckDB writes an altered field as NOT NULL, though no field ever is. */
  private List<String> withoutNestedNulls() throws SQLException {
    return differences("ducklake_column.nulls_allowed");
  }

  private void createBoth() throws SQLException {
    duck.execute("CREATE SCHEMA s");
    commit(new Change.CreateSchema("s", IfExists.REFUSE));
    both(DUCKDB_TABLE, new Change.CreateTable(NAME, COLUMNS, List.of(), IfExists.REFUSE));
  }

  private void both(String sql, Change change) throws SQLException {
    duck.execute(sql);
    commit(change);
  }

  private void commit(Change change) {
    ours.commit(CommitRequest.of("test", new Base.Newest(), List.of(change)));
  }

  private List<String> differences(String... expected) throws SQLException {
    Set<String> masked = new HashSet<>(REVIEWED);
    masked.addAll(List.of(expected));
    takeOurMarkAway();
    CatalogDump theirs = CatalogDump.of(theirDatabase).comparable().masking(masked);
    CatalogDump mine = CatalogDump.of(ourDatabase).comparable().masking(masked);
    return theirs.differences(mine);
  }

  /** A mask would not do: DuckDB's own commits have NULL there. */
  private void takeOurMarkAway() throws SQLException {
    try (Connection connection = ourDatabase.connect();
        Statement statement = connection.createStatement()) {
      int ourCommits =
          statement.executeUpdate(
              "UPDATE ducklake_snapshot_changes SET commit_extra_info = NULL"
                  + " WHERE commit_extra_info = 'sluice'");
      assertThat(ourCommits).isEqualTo(ourSnapshots());
    }
  }

  private int ourSnapshots() throws SQLException {
    return Math.toIntExact(
        CatalogDump.of(ourDatabase).rows("ducklake_snapshot_changes").size() - 1L);
  }

  private Path file(String query) throws SQLException {
    Path path = folder.resolve(UUID.randomUUID() + ".parquet");
    duck.execute("COPY (%s) TO '%s' (FORMAT parquet)".formatted(query, path));
    return path;
  }

  /** DuckDB registers the file, and we register it with what DuckDB found out about it. */
  private void addBoth(Path file) throws SQLException, IOException {
    duck.execute("CALL ducklake_add_data_files('lake', 't', '%s', schema => 's')".formatted(file));
    commit(new Change.AddDataFiles(TABLE, List.of(described(file))));
  }

  private NewDataFile described(Path file) throws SQLException, IOException {
    try (Connection connection = theirDatabase.connect();
        Statement statement = connection.createStatement()) {
      List<LeafStatistics> leaves = new ArrayList<>();
      try (ResultSet rows =
          statement.executeQuery(
              "WITH RECURSIVE c AS (SELECT column_id, ARRAY[column_name::text] AS path FROM"
                  + " ducklake_column WHERE parent_column IS NULL AND end_snapshot IS NULL UNION ALL"
                  + " SELECT k.column_id, c.path || k.column_name::text FROM ducklake_column k JOIN c"
                  + " ON k.parent_column = c.column_id WHERE end_snapshot IS NULL)"
                  + " SELECT c.path, s.* FROM ducklake_file_column_stats s JOIN ducklake_data_file f"
                  + " USING (data_file_id) JOIN c USING (column_id) WHERE f.path LIKE '%"
                  + file.getFileName()
                  + "' ORDER BY s.column_id")) {
        while (rows.next()) {
          leaves.add(
              new LeafStatistics(
                  List.of((String[]) rows.getArray("path").getArray()),
                  rows.getLong("column_size_bytes"),
                  nullable(rows, "value_count"),
                  nullable(rows, "null_count"),
                  rows.getString("min_value"),
                  rows.getString("max_value"),
                  (Boolean) rows.getObject("contains_nan"),
                  rows.getString("extra_stats")));
        }
      }
      try (ResultSet row =
          statement.executeQuery(
              "SELECT record_count, footer_size FROM ducklake_data_file WHERE path LIKE '%"
                  + file.getFileName()
                  + "'")) {
        assertThat(row.next()).isTrue();
        return new NewDataFile(
            file.toString(),
            row.getLong(1),
            Files.size(file),
            row.getLong(2),
            new FileMapping.ByName(mapped()),
            List.of(),
            leaves);
      }
    }
  }

  private List<MappedField> mapped() throws SQLException {
    return duck.columns("FROM s.t").stream().map(CatalogRowsTest::mapped).toList();
  }

  private static MappedField mapped(String column) {
    List<String> children =
        switch (column) {
          case "b" -> List.of("x", "y");
          case "c" -> List.of("list");
          case "d" -> List.of("key", "value");
          default -> List.of();
        };
    return new MappedField(
        column,
        column,
        Origin.FILE_COLUMN,
        children.stream()
            .map(
                name ->
                    new MappedField(
                        // DuckDB names the repeated group, not the element in it
                        name,
                        name.equals("list") ? "element" : name,
                        Origin.FILE_COLUMN,
                        List.of()))
            .toList());
  }

  private static @Nullable Long nullable(ResultSet rows, String column) throws SQLException {
    long value = rows.getLong(column);
    return rows.wasNull() ? null : value;
  }

  private static List<String> paths(PostgresDatabase database) throws SQLException {
    List<String> paths = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT path FROM ducklake_schema UNION ALL SELECT path FROM ducklake_table")) {
      while (rows.next()) {
        paths.add(rows.getString(1));
      }
    }
    return paths;
  }
}
